// Changing a scroll. A change made elsewhere meanwhile is shown beside it, so that neither letter is lost; while it
// watches, only its words can be changed.
import { useState } from 'react';
import { newSealId } from '../../../crypto/seal.ts';
import { scrollState } from '../../../shared/legacy.ts';
import { refusedAs } from '../../api/client.ts';
import { Problem } from '../../ui/problem.tsx';
import { toast } from '../../ui/toaster.tsx';
import { EntryDialog } from '../../vault/collections/entry-dialog.tsx';
import { useDraft } from '../../vault/use-draft.ts';
import { failed } from './creation-form.tsx';
import { formProblems, type ScrollForm, zoneOf } from './form.ts';
import { ScrollFields, sameRecipient } from './scroll-fields.tsx';
import { type Recipient, useRecipient } from './use-recipient.ts';
import {
  draftOfScroll,
  isReadable,
  type NewKey,
  type OpenedScroll,
  type ReadableScroll,
  type Scrolls,
} from './use-scrolls.ts';

interface EditProps {
  scroll: ReadableScroll;
  scrolls: Scrolls;
  /** @param newCard whether it has a key card now that nobody has seen */
  onChanged: (scroll: OpenedScroll, newCard: boolean) => void;
  onClose: () => void;
}

const sameTrigger = (form: ScrollForm, scroll: ReadableScroll) =>
  form.triggerType === scroll.triggerType && form.triggerValue === scroll.triggerValue;

const formOf = (scroll: ReadableScroll): ScrollForm => ({
  title: scroll.title,
  content: scroll.letter.content,
  triggerType: scroll.triggerType,
  triggerValue: scroll.triggerValue,
  recipientType: scroll.recipientType,
  recipientAddress: scroll.recipientAddress,
});

type KeyAfter = { key: NewKey | null; says: string | null } | { waits: string };

/** Which key the letter has after this change. Null keeps what it has. */
function keyAfter(form: ScrollForm, scroll: ReadableScroll, recipient: Recipient): KeyAfter {
  const same = sameRecipient(form, scroll);
  // A whisper opens in its vault, or by a card.
  const held =
    scroll.access === 'card' || (scroll.access === 'passphrase' && form.recipientType !== 'whisper');
  if (recipient.state === 'looking') return { waits: 'The vault is still being looked for.' };
  if (recipient.state === 'failed') return { waits: recipient.why };
  if (recipient.state === 'found' && !(same && held))
    return { key: { kind: 'vault', to: recipient.to }, says: null };
  if (same && scroll.access === 'vault') {
    return {
      waits:
        'The vault of this whisper is not known here any more, so its words cannot be sealed to it again. Make a new key first.',
    };
  }
  if (!held) {
    return { key: { kind: 'card' }, says: 'It gets a key card, which you hand over next.' };
  }
  const thing = scroll.access === 'card' ? 'key card' : 'passphrase';
  return {
    key: null,
    says: same
      ? null
      : `The ${thing} stays as it is. If another person shall have the letter, make a new ${thing} afterwards.`,
  };
}

export function EditDialog({ scroll, scrolls, onChanged, onClose }: EditProps) {
  const [draft, setDraft, dropDraft, restored] = useDraft<ScrollForm & { base: number }>(
    draftOfScroll(scroll.id),
    {
      ...formOf(scroll),
      base: scroll.version,
    },
  );
  const { base, ...form } = draft;
  const [other, setOther] = useState<ReadableScroll | null>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sealId] = useState(newSealId);
  const recipient = useRecipient(form);

  // A draft that was begun on an older version must not replace a newer one unseen.
  const beside = other ?? (restored && base !== scroll.version ? scroll : null);
  const current = other ?? scroll;
  const watching = scrollState(current) === 'watching';
  // While it watches, its recipient and its trigger are what they are, whatever a draft says.
  const wanted: ScrollForm = watching
    ? { ...formOf(current), title: form.title, content: form.content }
    : form;
  const after = keyAfter(wanted, current, recipient);
  const all = formProblems(wanted, Date.now(), zoneOf(wanted, current));
  // A day that is not changed may have begun meanwhile: only the watch asks for another then.
  const { triggerValue, ...others } = all;
  const problems = sameTrigger(wanted, current) || !triggerValue ? others : all;
  const missing = Object.keys(problems).length > 0;

  async function attempt(work: () => Promise<OpenedScroll>, newCard: boolean) {
    setTried(true);
    if (missing || 'waits' in after) return;
    setBusy(true);
    try {
      const changed = await work();
      dropDraft();
      toast({ title: 'Legacy Scroll Changed', description: 'It was sealed again in this browser.' });
      onChanged(changed, newCard);
    } catch (error) {
      await fail(error);
    } finally {
      setBusy(false);
    }
  }

  async function fail(error: unknown) {
    if (refusedAs(error, 'stale-version')) {
      const theirs = await scrolls.refetch(scroll.id);
      if (theirs && isReadable(theirs) && theirs.version !== current.version) return setOther(theirs);
    }
    if (refusedAs(error, 'not-found')) {
      return toast({
        title: 'Legacy Scroll is gone',
        description: 'It was deleted elsewhere. What you wrote still stands here, to be copied.',
        tone: 'destructive',
      });
    }
    failed('Failed to Change Legacy Scroll', error);
  }

  const key = 'key' in after ? after.key : null;
  return (
    <EntryDialog
      title={watching ? 'Edit the words' : 'Edit Legacy Scroll'}
      noun="scroll"
      saveLabel="Seal the change"
      busyLabel="Sealing..."
      editing
      entry={{
        busy,
        restored,
        discard() {
          setDraft({ ...formOf(current), base: current.version });
          dropDraft();
        },
        beside: beside && { name: beside.title, content: beside.letter.content },
        save: () =>
          attempt(() => scrolls.update(current, wanted, key, current.version), key?.kind === 'card'),
        keepBoth: () => attempt(() => scrolls.create(wanted, key ?? { kind: 'card' }, sealId), true),
      }}
      onClose={onClose}
    >
      <ScrollFields
        form={wanted}
        onChange={(next) => setDraft({ ...next, base })}
        problems={tried ? problems : {}}
        recipient={recipient}
        couriers={scrolls.couriers}
        zone={zoneOf(wanted, current)}
        locked={watching}
        busy={busy}
      />
      {watching && (
        <p className="border-l border-ember/55 pl-4 text-note text-dust">
          It is watching: disarm it first to change when or to whom it goes. Its words can be changed now, and
          its key stays.
        </p>
      )}
      {'says' in after && after.says && <p className="text-note text-dust">{after.says}</p>}
      <Problem>{tried && 'waits' in after ? after.waits : null}</Problem>
    </EntryDialog>
  );
}
