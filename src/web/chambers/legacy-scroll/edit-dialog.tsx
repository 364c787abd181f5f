// Changing a scroll. A change made elsewhere meanwhile is shown beside it, so that neither letter is lost; while it
// watches, only its words can be changed.
import { useState } from 'react';
import { newSealId } from '../../../crypto/seal.ts';
import { scrollState } from '../../../shared/nouns/legacy.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { FileNotWhole } from '../../../vault/files/problems.ts';
import { detailsOfLetter } from '../../../vault/legacy/letter-files.ts';
import type { NewKey } from '../../../vault/legacy/recipient-keys.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { isReadable, type ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import { EarlierWentOn } from '../../../vault/outbox/own-refusals.ts';
import type { NewKeys } from '../../../vault/outbox/scroll-draft.ts';
import { Problem } from '../../ui/problem.tsx';
import type { ToastWords } from '../../ui/toast-store.ts';
import { toast } from '../../ui/toaster.tsx';
import { EntryDialog } from '../../vault/entries/entry-dialog.tsx';
import { useDraft } from '../../vault/entries/use-draft.ts';
import { useLeavable } from '../../vault/entries/use-leavable.ts';
import { formFiles, keepingFiles, withoutStaying } from '../../vault/files/draft-files.ts';
import { stillOnTheirWay } from '../../vault/files/files-waited-for.ts';
import type { ChosenPassphrase, ChosenPassphraseProblems } from '../../vault/key/recovery/new-passphrase.tsx';
import { createdWords, failed } from './creation-form.tsx';
import { type FormProblems, formProblems, problemAtField, type ScrollForm, zoneOf } from './form.ts';
import { formOf, keyAfter, wantedOf } from './key-after.ts';
import { blankPassphrase, keyOfChoice, weakPassphrases } from './key-fields.tsx';
import { ScrollFields } from './scroll-fields.tsx';
import { useAgreement } from './use-agreement.ts';
import { meantBy, type Recipient, useRecipients } from './use-recipient.ts';
import { type Scrolls, scrollDraft } from './use-scrolls.ts';

interface EditProps {
  scroll: ReadableScroll;
  scrolls: Scrolls;
  /** @param newCard whether it has a key card now that nobody has seen */
  onChanged: (scroll: OpenedScroll, newCard: boolean) => void;
  onClose: () => void;
}

const sameTrigger = (form: ScrollForm, scroll: ReadableScroll) =>
  form.triggerType === scroll.triggerType && form.triggerValue === scroll.triggerValue;

const changedWords = { title: 'Legacy Scroll Changed', description: 'It was sealed again in this browser.' };

type KeysAfter =
  | { keys: Record<string, NewKey | null>; says: Record<string, string | null> }
  | { waits: string };

/** Which key each recipient has after a change, and what that does to theirs. */
function keysAfter(
  form: ScrollForm,
  scroll: ReadableScroll,
  secrets: Readonly<Record<string, ChosenPassphrase>>,
  found: readonly Recipient[],
): KeysAfter {
  const keys: Record<string, NewKey | null> = {};
  const says: Record<string, string | null> = {};
  for (const [i, one] of form.recipients.entries()) {
    const { key, kind, recipientType } = one;
    const at = found[i] ?? { state: 'none' as const };
    const before = scroll.recipients.find(({ publicId }) => publicId === one.publicId);
    const after = before
      ? keyAfter(one, before, at)
      : keyOfChoice({ ...(secrets[key] ?? blankPassphrase), kind }, recipientType, at);
    if ('waits' in after) return after;
    keys[key] = after.key;
    says[key] = 'says' in after ? after.says : null;
  }
  return { keys, says };
}

/**
 * What is kept of a change: the version that it replaces, and the number under which it becomes a letter of its own where both are
 * kept, so that a lost answer makes one alone.
 */
type Draft = ScrollForm & { base: number; sealIdOfNew?: string };

const draftOfChange = (scroll: ReadableScroll) => ({
  ...formOf(scroll),
  base: scroll.version,
  sealIdOfNew: newSealId(),
});

/** The keys of a scroll that is written anew: who kept theirs gets a card, since nobody else's can be copied. */
const withCards = ({ recipients }: ScrollForm, keys: NewKeys): NewKeys =>
  Object.fromEntries(recipients.map(({ key }) => [key, keys[key] ?? { kind: 'card' }]));

export function EditDialog({ scroll, scrolls, onChanged, onClose }: EditProps) {
  const [blank] = useState(() => draftOfChange(scroll));
  const draft = useDraft<Draft>(scrollDraft(scroll), blank);
  const { restored, bringBack } = draft;
  const leavable = useLeavable(draft);
  const { base, sealIdOfNew = blank.sealIdOfNew, ...form } = draft.value;
  const [other, setOther] = useState<ReadableScroll | null>(null);
  const [refused, setRefused] = useState<FormProblems>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [secrets, setSecrets] = useState<Record<string, ChosenPassphrase>>({});
  const [weak, setWeak] = useState<Record<string, ChosenPassphraseProblems>>({});

  // A draft that was begun on an older version must not replace a newer one unseen.
  const beside = other ?? (restored && base !== scroll.version ? scroll : null);
  const current = other ?? scroll;
  const files = formFiles(draft, detailsOfLetter(current.letter));
  const watching = scrollState(current) === 'watching';
  const wanted = wantedOf(form, current);
  // Of what is saved, never of what a draft says: a letter's key must not be sealed to another vault than it names.
  const found = useRecipients(wanted.recipients);
  const meant = meantBy(wanted, found);
  const after = keysAfter(meant, current, secrets, found);
  const all = formProblems(meant, Date.now(), zoneOf(meant, current));
  // A day that is not changed may have begun meanwhile: only the watch asks for another then.
  const { triggerValue, ...others } = all;
  const problems = sameTrigger(wanted, current) || !triggerValue ? others : all;
  // Another way to be reached that this server does not have is agreed to, as where a scroll is written.
  const { agreed, setAgreed, mustAgree, disagreed } = useAgreement(wanted, scrolls.transports, (one) =>
    current.recipients.some(
      ({ publicId, recipientType }) => publicId === one.publicId && recipientType === one.recipientType,
    ),
  );
  const missing = Object.keys(problems).length > 0 || disagreed;

  async function attempt(work: () => Promise<OpenedScroll>, newCard: boolean, said: ToastWords) {
    setTried(true);
    if (missing || 'waits' in after || stillOnTheirWay(files.value) > 0) return;
    setBusy(true);
    setWeak({});
    setRefusal(null);
    try {
      const wrong = await weakPassphrases(wanted, secrets);
      if (Object.keys(wrong).length > 0) return setWeak(wrong);
      const sent = await leavable.send(work);
      if (!sent) return;
      const changed = sent.answer;
      draft.drop();
      toast(said);
      onChanged(changed, newCard);
    } catch (error) {
      await fail(error);
    } finally {
      setBusy(false);
    }
  }

  async function fail(error: unknown) {
    if (error instanceof FileNotWhole) files.sendAgain(error.fileId);
    if (error instanceof EarlierWentOn)
      draft.update((kept) => ({
        ...kept,
        sealIdOfNew: newSealId(),
        files: withoutStaying(kept, error.staying),
      }));
    if (refusedAs(error, 'stale-version')) {
      const theirs = await scrolls.refetch(scroll.id);
      if (theirs && isReadable(theirs) && theirs.version !== current.version) return setOther(theirs);
    }
    if (refusedAs(error, 'not-found')) {
      setRefusal(error);
      return toast({
        title: 'Legacy Scroll is gone',
        description: 'It was deleted elsewhere. What you wrote still stands here, to be copied.',
        tone: 'destructive',
      });
    }
    const atField = refusedAs(error, 'invalid-input') ? problemAtField(sentenceOf(error), meant) : null;
    if (atField) return setRefused(atField);
    setRefusal(error);
    failed('Failed to Change Legacy Scroll', error);
  }

  const keys = 'keys' in after ? after.keys : {};
  return (
    <EntryDialog
      title={watching ? 'Edit the words' : 'Edit Legacy Scroll'}
      noun="scroll"
      saveLabel="Seal the change"
      busyLabel="Sealing..."
      editing
      entry={{
        busy,
        isSlow: leavable.isSlow,
        restored,
        refusal,
        discard: () => draft.discard(draftOfChange(current)),
        bringBack,
        beside: beside && { name: beside.title, content: beside.letter.content },
        files,
        save: () =>
          attempt(
            () => scrolls.update(current, meant, keys, current.version),
            Object.values(keys).some((key) => key?.kind === 'card'),
            changedWords,
          ),
        keepBoth: () =>
          attempt(
            // What the other one has stays with it: a file belongs to one letter.
            () => scrolls.create({ ...meant, files: files.value }, withCards(meant, keys), sealIdOfNew),
            true,
            createdWords,
          ),
      }}
      removePlaceByDefault
      onClose={onClose}
    >
      <ScrollFields
        form={wanted}
        onChange={(next) => {
          setRefused({});
          draft.update((kept) => ({ ...keepingFiles(kept, next), base, sealIdOfNew }));
        }}
        problems={{ ...refused, ...(tried && problems) }}
        found={found}
        transports={scrolls.transports}
        secrets={secrets}
        onSecrets={(next) => {
          setSecrets(next);
          setWeak({});
        }}
        weak={weak}
        {...('keys' in after && { says: after.says })}
        agreed={agreed}
        onAgree={setAgreed}
        mustAgree={mustAgree}
        tried={tried}
        zone={zoneOf(wanted, current)}
        locked={watching}
        busy={busy}
      />
      {watching && (
        <p className="border-l border-ember/55 pl-4 text-note text-dust">
          It is watching: disarm it first to change when or to whom it goes. Its words can be changed now, and
          its keys stay.
        </p>
      )}
      <Problem>{tried && 'waits' in after ? after.waits : null}</Problem>
    </EntryDialog>
  );
}
