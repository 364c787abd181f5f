// Legacy Scroll: the form, the list of what is held back, and which of its dialogs stands open.
import { useEffect, useRef, useState } from 'react';
import { scrollState } from '../../../shared/nouns/legacy.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { isReadable, type OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { VaultList } from '../../vault/book/vault-list.tsx';
import { forgetAsked } from '../../vault/entries/draft-slots.ts';
import { useChangeAsked } from '../../vault/entries/use-draft.ts';
import { LETTER_DRAFT } from '../../vault/legacy/begin-letter.ts';
import { useSwitch } from '../../vault/legacy/the-switch.ts';
import { LeftForYou } from '../../vault/legacy/whispers/left-for-you.tsx';
import { NewLetter, useWriting } from './new-letter.tsx';
import type { ActionsProps, ScrollAction } from './scroll-actions.tsx';
import { cardToShow, type OpenDialog, ScrollDialog } from './scroll-dialog.tsx';
import { rowId, ScrollRows } from './scroll-rows.tsx';
import { waitsFor } from './scroll-words.ts';
import { useDisarming } from './use-disarming.ts';
import { type Scrolls, useHasSisters, useScrolls } from './use-scrolls.ts';
import { WarningsAndAddresses } from './warnings-and-addresses.tsx';

export default function LegacyScrollPage() {
  const scrolls = useScrolls();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const all = scrolls.list.data;
  const watching = all?.filter((scroll) => scrollState(scroll) === 'watching') ?? [];
  const { disarming, disarm, askOrDisarm } = useDisarming(scrolls, watching.length, (scroll, most) =>
    setOpen({ view: 'disarm', scroll, most }),
  );
  const { isWriting, write, putAway } = useWriting(all, scrolls.list.isPending);
  const changeAsked = useChangeAsked(LETTER_DRAFT);
  useEffect(() => {
    if (changeAsked === null || !all) return;
    const scroll = all.find(({ sealId }) => sealId === changeAsked);
    if (scroll && isReadable(scroll)) setOpen({ view: 'edit', scroll });
    else forgetAsked();
  }, [changeAsked, all]);
  useFocusAfter(open?.scroll ?? null);

  function act(action: ScrollAction, scroll: OpenedScroll) {
    if (action === 'disarm') void askOrDisarm(scroll);
    else if (action === 'activate') setOpen({ view: action, scroll, handedOver: false });
    else setOpen({ view: action, scroll });
  }

  async function stillHere() {
    try {
      await scrolls.stillHere();
      toast({ title: 'Still Here', description: 'The countdown of each of your letters starts again.' });
    } catch (error) {
      toast({ title: 'This did not reach the server', description: sentenceOf(error), tone: 'destructive' });
    }
  }

  function showCreated(scroll: OpenedScroll) {
    putAway();
    setOpen(cardToShow(scroll));
  }

  return (
    <Chamber
      eyebrow="Chamber seven"
      title="Legacy Scroll"
      lead="A letter to one person, or to a few. It is sent when you have not signed in for a number of days, on a day that you choose, or when you release it."
      dialogs={open && <ScrollDialog open={open} onOpen={setOpen} scrolls={scrolls} disarm={disarm} />}
    >
      {watching.length > 0 && <Life watching={watching} onStillHere={stillHere} />}
      <LeftForYou />
      <div className="grid gap-x-16 gap-y-16 md:grid-cols-2">
        <ActiveLegacies
          scrolls={scrolls}
          onWrite={isWriting ? undefined : write}
          disarming={disarming}
          onDo={act}
          onDoReadable={(view, scroll) => setOpen({ view, scroll })}
          onStillHere={() => void stillHere()}
        />
        <div className="grid min-w-0 content-start gap-16">
          {isWriting && <NewLetter scrolls={scrolls} onCreated={showCreated} onClose={putAway} />}
          <WarningsAndAddresses scrolls={scrolls} />
        </div>
      </div>
    </Chamber>
  );
}

interface LegaciesProps extends Omit<ActionsProps, 'scroll' | 'hasSisters'> {
  scrolls: Scrolls;
  /** Brings the form of another letter; left out while it is there. */
  onWrite: (() => void) | undefined;
}

/** The list, with what this server can do for those in it. */
function ActiveLegacies({ scrolls, onWrite, ...actions }: LegaciesProps) {
  const now = useNow();
  const all = scrolls.list.data;
  // Most lists have nothing that waits.
  const { data: failing } = useSwitch(
    all?.some((scroll) => Object.values(waitsFor(scroll)).includes(true)) ?? false,
  );
  const hasSisters = useHasSisters(all?.some(({ triggerType }) => triggerType === 'inactivity') ?? false);
  return (
    <section aria-labelledby="active-legacies" className="min-w-0">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-3 border-t border-line pt-6">
        <h2 id="active-legacies" tabIndex={-1} className="font-display text-heading">
          Active Legacies
        </h2>
        {all && onWrite && (
          <Button tone="primary" onClick={onWrite}>
            Write a letter
          </Button>
        )}
      </div>
      <VaultList
        query={scrolls.list}
        items={all}
        loading="Fetching and opening your letters"
        rows={3}
        empty={
          <EmptyState sigil="legacy" title="No letters yet">
            A new letter is a draft: it is sent to nobody. Activate its watch once you have handed over its
            key.
          </EmptyState>
        }
      >
        {(all) => (
          <ScrollRows
            scrolls={all}
            transports={scrolls.transports}
            failing={failing}
            hasSisters={hasSisters}
            since={Math.max(0, now - scrolls.list.dataUpdatedAt)}
            {...actions}
          />
        )}
      </VaultList>
    </section>
  );
}

/** Where a dialog was opened from may be gone when it closes: then the row it was about has the focus, or the list. */
function useFocusAfter(scroll: OpenedScroll | null) {
  const last = useRef<OpenedScroll>(null);
  useEffect(() => {
    const before = last.current;
    last.current = scroll;
    if (scroll || !before || document.activeElement !== document.body) return;
    const row = document.getElementById(rowId(before)) ?? document.getElementById('active-legacies');
    row?.focus();
  }, [scroll]);
}

/** For the whole account: when it was last seen alive, and the press that says so again. */
function Life({
  watching,
  onStillHere,
}: {
  watching: readonly OpenedScroll[];
  onStillHere: () => Promise<void>;
}) {
  const [busy, setBusy] = useState(false);
  const last =
    watching
      .map(({ lastActivity }) => lastActivity)
      .sort()
      .at(-1) ?? '';

  async function press() {
    setBusy(true);
    await onStillHere();
    setBusy(false);
  }

  return (
    <div className="mb-12 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border border-ember/55 p-5">
      <p className="min-w-0 flex-1 basis-60 text-note text-dust">
        {watching.length === 1 ? 'One letter watches.' : `${watching.length} letters watch.`} You were last
        active {formatMoment(last)}.
      </p>
      <Button size="small" tone="primary" busy={busy} busyLabel="Sending" onClick={() => void press()}>
        Still here
      </Button>
    </div>
  );
}
