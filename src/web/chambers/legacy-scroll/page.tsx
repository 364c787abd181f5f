// Legacy Scroll: the form, the list of what is held back, and which of its dialogs stands open.
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { scrollState } from '../../../shared/nouns/legacy.ts';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import { planLimits } from '../../../shared/plans.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { cardHolders, isReadable, type ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import { StillKept } from '../../../vault/outbox/own-refusals.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { VaultList } from '../../vault/book/vault-list.tsx';
import { forgetAsked } from '../../vault/entries/draft-slots.ts';
import { SeveralDrafts } from '../../vault/entries/several-drafts.tsx';
import { useChangeAsked, useDraftTurn } from '../../vault/entries/use-draft.ts';
import { LETTER_DRAFT } from '../../vault/legacy/begin-letter.ts';
import { useSwitch } from '../../vault/legacy/the-switch.ts';
import { LeftForYou } from '../../vault/legacy/whispers/left-for-you.tsx';
import { useBilling } from '../../vault/plan/use-billing.ts';
import { draftsOf } from '../../vault/session/drafts.ts';
import { useNewAsked } from '../../vault/session/new-address.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { ActivateDialog } from './activate-dialog.tsx';
import { CreationForm } from './creation-form.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { KeyCard } from './key-card.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { OwnAddress } from './own-address.tsx';
import { DeleteQuestion, DisarmQuestion, ReleaseQuestion } from './questions.tsx';
import { RehearseDialog } from './rehearse-dialog.tsx';
import type { ReadableScrollAction, ScrollAction } from './scroll-actions.tsx';
import { ScrollReader } from './scroll-reader.tsx';
import { rowId, ScrollRows } from './scroll-rows.tsx';
import { waitsFor } from './scroll-words.ts';
import { SecondPlace, SecondWarning } from './second-warning.tsx';
import { SheetsDialog } from './sheets-dialog-part.tsx';
import { SistersDialog } from './sisters-part.tsx';
import { TrustedContact } from './trusted-contact.tsx';
import { useHasSisters, useScrolls } from './use-scrolls.ts';
import { useTrustedContact } from './use-trusted-contact.ts';
import { useSecondWarning, useWarningAddress } from './use-warning-address.ts';
import { WarningAddress } from './warning-address.tsx';

type Open =
  | { view: 'activate'; scroll: OpenedScroll; handedOver: boolean }
  | { view: 'disarm'; scroll: OpenedScroll; most: number }
  | { view: Exclude<ScrollAction, 'activate' | 'disarm'>; scroll: OpenedScroll }
  | { view: 'sheets'; scroll: ReadableScroll; recipient: ScrollRecipient }
  | { view: ReadableScrollAction; scroll: ReadableScroll };

export default function LegacyScrollPage() {
  const scrolls = useScrolls();
  const warnings = useWarningAddress();
  const second = useSecondWarning();
  const trusted = useTrustedContact(() => void scrolls.list.refetch());
  const now = useNow();
  const [open, setOpen] = useState<Open | null>(null);
  const [disarming, setDisarming] = useState<number | null>(null);
  /** Of which letters it was said that they end here alone. */
  const wasTold = useRef(new Set<number>());
  const all = scrolls.list.data;
  const watching = all?.filter((scroll) => scrollState(scroll) === 'watching') ?? [];
  // Most lists have nothing that waits.
  const { data: failing } = useSwitch(
    all?.some((scroll) => Object.values(waitsFor(scroll)).includes(true)) ?? false,
  );
  const hasSisters = useHasSisters(all?.some(({ triggerType }) => triggerType === 'inactivity') ?? false);
  const roomToWatch = useRoomToWatch(watching.length);
  const { isWriting, write, putAway } = useWriting(all, scrolls.list.isPending);
  const turn = useDraftTurn(LETTER_DRAFT);
  const close = () => setOpen(null);
  const changeAsked = useChangeAsked(LETTER_DRAFT);
  useEffect(() => {
    if (changeAsked === null || !all) return;
    const scroll = all.find(({ sealId }) => sealId === changeAsked);
    if (scroll && isReadable(scroll)) setOpen({ view: 'edit', scroll });
    else forgetAsked();
  }, [changeAsked, all]);
  useFocusAfter(open?.scroll ?? null);
  /** A scroll of an open dialog as the list has it by now. */
  const asItIs = (scroll: OpenedScroll) => all?.find(({ id }) => id === scroll.id) ?? scroll;
  const readable = (scroll: ReadableScroll) => {
    const fresh = asItIs(scroll);
    return isReadable(fresh) ? fresh : scroll;
  };

  /** A key card that nobody has seen yet is shown at once. */
  function showCard(scroll: OpenedScroll) {
    if (cardHolders(scroll).length > 0 && isReadable(scroll)) setOpen({ view: 'card', scroll });
    else close();
  }

  /** Leads on to the watch of a draft. */
  const handedOver = (scroll: ReadableScroll) =>
    scrollState(asItIs(scroll)) === 'dormant'
      ? () => setOpen({ view: 'activate', scroll: asItIs(scroll), handedOver: true })
      : undefined;

  async function disarm(scroll: OpenedScroll) {
    setDisarming(scroll.id);
    try {
      await scrolls.disarm(scroll, wasTold.current.has(scroll.id));
      document.getElementById(rowId(scroll))?.focus({ preventScroll: true });
      toast({ title: 'Watch Disarmed', description: 'It is a draft again: nothing sends it.' });
    } catch (error) {
      if (error instanceof StillKept) wasTold.current.add(scroll.id);
      toast({ title: 'Failed to Disarm', description: sentenceOf(error), tone: 'destructive' });
    } finally {
      setDisarming(null);
    }
  }

  /** Asks first where it could not watch again at once. */
  async function askOrDisarm(scroll: OpenedScroll) {
    setDisarming(scroll.id);
    const most = await roomToWatch();
    setDisarming(null);
    if (most === null) await disarm(scroll);
    else setOpen({ view: 'disarm', scroll, most });
  }

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
    showCard(scroll);
  }

  const form = (
    <section aria-labelledby="new-scroll" className="min-w-0">
      <h2 id="new-scroll" tabIndex={-1} className="mb-6 border-t border-line pt-6 font-display text-heading">
        A new letter
      </h2>
      <SeveralDrafts list="/legacy-scroll" />
      <CreationForm
        key={turn}
        scrolls={scrolls}
        onCreated={showCreated}
        onClose={all?.length === 0 ? undefined : putAway}
      />
    </section>
  );
  const places = (
    <section aria-label="Warnings and addresses" className="min-w-0 border-t border-line">
      <Aside
        title="Warnings"
        says="Where warnings are mailed, for letters that warn you by mail. Warnings of the others are shown on your dashboard."
      >
        <WarningAddress
          warnings={warnings}
          mails={scrolls.transports?.email ?? true}
          onRemoved={() => {
            void scrolls.list.refetch();
            void second.query.refetch();
          }}
        />
        {warnings.proved && (
          <SecondPlace>
            <SecondWarning second={second} transports={scrolls.transports} removes />
          </SecondPlace>
        )}
      </Aside>
      <Aside
        title="Trusted contact"
        says="Somebody you name, if you want. They are told before a letter is sent for inactivity, and may postpone that once, by thirty days. They can neither read a letter nor stop it, and are not told to whom it goes."
      >
        <TrustedContact trusted={trusted} mails={scrolls.transports?.email ?? true} />
      </Aside>
      <Aside
        title="Your vault address"
        says="Give it to people who have a vault here, so that they can send you a whisper."
      >
        <OwnAddress />
      </Aside>
    </section>
  );
  const list = (
    <section aria-labelledby="active-legacies" className="min-w-0">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-3 border-t border-line pt-6">
        <h2 id="active-legacies" tabIndex={-1} className="font-display text-heading">
          Active Legacies
        </h2>
        {all && !isWriting && (
          <Button tone="primary" onClick={write}>
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
            disarming={disarming}
            onDo={act}
            onDoReadable={(view, scroll) => setOpen({ view, scroll })}
            onStillHere={() => void stillHere()}
          />
        )}
      </VaultList>
    </section>
  );
  return (
    <Chamber
      eyebrow="Chamber seven"
      title="Legacy Scroll"
      lead="A letter to one person, or to a few. It is sent when you have not signed in for a number of days, on a day that you choose, or when you release it."
      dialogs={
        <>
          {open?.view === 'card' && (
            <KeyCard
              scroll={readable(open.scroll)}
              gone={all !== undefined && !all.some(({ id }) => id === open.scroll.id)}
              transports={scrolls.transports}
              look={() => void scrolls.list.refetch()}
              onHandedOver={handedOver(open.scroll)}
              onSplit={
                scrollState(asItIs(open.scroll)) === 'released'
                  ? undefined
                  : (recipient) => setOpen({ view: 'sheets', scroll: readable(open.scroll), recipient })
              }
              onClose={close}
            />
          )}
          {open?.view === 'sheets' && (
            <SheetsDialog
              {...open}
              scrolls={scrolls}
              onHandedOver={handedOver(open.scroll)}
              onClose={close}
            />
          )}
          {open?.view === 'activate' && (
            <ActivateDialog {...open} scroll={asItIs(open.scroll)} scrolls={scrolls} onClose={close} />
          )}
          {open?.view === 'new-key' && (
            <NewKeyDialog
              {...open}
              scroll={readable(open.scroll)}
              scrolls={scrolls}
              onMade={showCard}
              onClose={close}
            />
          )}
          {open?.view === 'edit' && (
            <EditDialog
              {...open}
              scrolls={scrolls}
              onChanged={(scroll, newCard) => (newCard ? showCard(scroll) : close())}
              onClose={close}
            />
          )}
          {open?.view === 'rehearse' && (
            <RehearseDialog scroll={readable(open.scroll)} scrolls={scrolls} onClose={close} />
          )}
          {open?.view === 'sisters' && <SistersDialog scroll={readable(open.scroll)} onClose={close} />}
          {open?.view === 'read' && (
            <ScrollReader
              scroll={readable(open.scroll)}
              onAdopt={() => scrolls.adopt(readable(open.scroll))}
              onClose={close}
            />
          )}
          {open?.view === 'release' && <ReleaseQuestion {...open} scrolls={scrolls} onClose={close} />}
          {open?.view === 'disarm' && (
            <DisarmQuestion
              {...open}
              disarm={async () => {
                close();
                await disarm(open.scroll);
              }}
              onClose={close}
            />
          )}
          {open?.view === 'delete' && <DeleteQuestion {...open} scrolls={scrolls} onClose={close} />}
        </>
      }
    >
      {watching.length > 0 && <Life watching={watching} onStillHere={stillHere} />}
      <LeftForYou />
      <div className="grid gap-x-16 gap-y-16 md:grid-cols-2">
        {list}
        <div className="grid min-w-0 content-start gap-16">
          {isWriting && form}
          {places}
        </div>
      </div>
    </Chamber>
  );
}

/** Whether the form of a letter is there: once somebody asks for it, while it has a draft, and where there is no letter yet. */
function useWriting(all: readonly OpenedScroll[] | undefined, isFetching: boolean) {
  const { user } = useVault();
  const [isWriting, setWriting] = useState(() => draftsOf(user.id, LETTER_DRAFT).length > 0);
  // The first letter has its form until it is kept.
  if (all?.length === 0 && !isWriting) setWriting(true);
  const wantsFocus = useRef(false);
  const focusOnForm = useEffectEvent(() => {
    const form = document.querySelector('[aria-labelledby="new-scroll"]');
    const first = form?.querySelector<HTMLElement>(':is(input, textarea)');
    if (!wantsFocus.current || !first) return;
    // On a phone the list stands above the form, and moves it out of sight as it comes.
    wantsFocus.current = isFetching;
    const isInForm = form?.contains(document.activeElement);
    (isInForm ? document.activeElement : first)?.scrollIntoView({ block: 'center' });
    if (!isInForm) first.focus();
  });
  // With whatever render the form has come.
  useEffect(() => focusOnForm());
  function write() {
    wantsFocus.current = true;
    setWriting(true);
    focusOnForm();
  }
  useNewAsked('/legacy-scroll', write);
  return { isWriting, write, putAway: () => setWriting(false) };
}

/**
 * Tells how many scrolls the account's plan lets watch, where more of them do: after a plan has lapsed. Else, and where
 * the server does not say, null.
 */
function useRoomToWatch(watching: number): () => Promise<number | null> {
  const { refetch } = useBilling(false);
  return async () => {
    if (watching <= (planLimits.free.scrollsWatching ?? Number.POSITIVE_INFINITY)) return null;
    const { data } = await refetch();
    const most = data?.plan === 'free' ? data.plans.free.scrollsWatching : null;
    return most !== null && watching > most ? most : null;
  };
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

function Aside({ title, says, children }: { title: string; says: string; children: ReactNode }) {
  return (
    <div className="mt-12 grid gap-3">
      <h3 className="font-display text-name font-medium">{title}</h3>
      <p className="text-note text-dust">{says}</p>
      {children}
    </div>
  );
}
