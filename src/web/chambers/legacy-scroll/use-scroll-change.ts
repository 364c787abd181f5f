// A change to a letter: its draft, which keys its recipients have after it, and how it is sealed and sent.
import { useState } from 'react';
import { newSealId } from '../../../crypto/seal.ts';
import { refusedAs } from '../../../vault/api/api-error.ts';
import { detailsOfLetter } from '../../../vault/legacy/letter-files.ts';
import { isReadable, type OpenedScroll, type ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import type { NewKeys } from '../../../vault/outbox/scroll-draft.ts';
import type { ToastWords } from '../../ui/toast-store.ts';
import { toast } from '../../ui/toaster.tsx';
import { useDraft } from '../../vault/entries/use-draft.ts';
import { useLeavable } from '../../vault/entries/use-leavable.ts';
import { keepingFiles } from '../../vault/files/draft-files.ts';
import { stillOnTheirWay } from '../../vault/files/files-waited-for.ts';
import { type FormProblems, formProblems, type RecipientForm, type ScrollForm, zoneOf } from './form.ts';
import { formOf, keysAfter, wantedOf } from './key-after.ts';
import { createdWords, useLetterForm } from './use-letter-form.ts';
import { type Scrolls, scrollDraft } from './use-scrolls.ts';

function problemsOfChange(form: ScrollForm, scroll: ReadableScroll): FormProblems {
  const { triggerValue, ...others } = formProblems(form, Date.now(), zoneOf(form, scroll));
  const isSame = form.triggerType === scroll.triggerType && form.triggerValue === scroll.triggerValue;
  // A day that is not changed may have begun meanwhile: only the watch asks for another then.
  return isSame || !triggerValue ? others : { ...others, triggerValue };
}

const changedWords = { title: 'Legacy Scroll Changed', description: 'It was sealed again in this browser.' };
const goneWords: ToastWords = {
  title: 'Legacy Scroll is gone',
  description: 'It was deleted elsewhere. What you wrote still stands here, to be copied.',
  tone: 'destructive',
};

/** Another way to be reached that this server does not have is agreed to, as where a scroll is written. */
const isReachedAsBefore = ({ recipients }: ReadableScroll, one: RecipientForm): boolean =>
  recipients.some(
    ({ publicId, recipientType }) => publicId === one.publicId && recipientType === one.recipientType,
  );

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

export interface ChangeOptions {
  scroll: ReadableScroll;
  scrolls: Scrolls;
  /** @param newCard whether it has a key card now that nobody has seen */
  onChanged: (scroll: OpenedScroll, newCard: boolean) => void;
}

export function useScrollChange({ scroll, scrolls, onChanged }: ChangeOptions) {
  const [blank] = useState(() => draftOfChange(scroll));
  const draft = useDraft<Draft>(scrollDraft(scroll), blank);
  const leavable = useLeavable(draft);
  const { base, sealIdOfNew = blank.sealIdOfNew, ...form } = draft.value;
  const [other, setOther] = useState<ReadableScroll | null>(null);
  const [busy, setBusy] = useState(false);

  // A draft that was begun on an older version must not replace a newer one unseen.
  const beside = other ?? (draft.restored && base !== scroll.version ? scroll : null);
  const current = other ?? scroll;
  const wanted = wantedOf(form, current);
  const letter = useLetterForm({
    draft,
    details: detailsOfLetter(current.letter),
    renewed: () => ({ sealIdOfNew: newSealId() }),
    // Of what is saved, never of what a draft says: a letter's key must not be sealed to another vault than it names.
    form: wanted,
    transports: scrolls.transports,
    problemsOf: (meant) => problemsOfChange(meant, current),
    isKept: (one) => isReachedAsBefore(current, one),
  });
  const { meant, files } = letter;
  const after = keysAfter(meant, current, letter.secrets, letter.found);
  const keys = 'keys' in after ? after.keys : {};

  async function attempt(work: () => Promise<OpenedScroll>, newCard: boolean, said: ToastWords) {
    letter.setTried(true);
    if (letter.isMissing() || 'waits' in after || stillOnTheirWay(files.value) > 0) return;
    setBusy(true);
    letter.setRefusal(null);
    try {
      if (await letter.isTooWeak()) return;
      const sent = await leavable.send(work);
      if (!sent) return;
      draft.drop();
      toast(said);
      onChanged(sent.answer, newCard);
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
      letter.setRefusal(error);
      return toast(goneWords);
    }
    letter.refuse('Failed to Change Legacy Scroll', error);
  }

  return {
    /** The version that it changes. */
    current,
    /** For `EntryDialog`. */
    entry: {
      busy,
      isSlow: leavable.isSlow,
      restored: draft.restored,
      refusal: letter.refusal,
      discard: () => draft.discard(draftOfChange(current)),
      bringBack: draft.bringBack,
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
    },
    /** For `ScrollFields`. */
    fields: {
      ...letter.fields,
      onChange(next: ScrollForm): void {
        letter.forgetRefused();
        draft.update((kept) => ({ ...keepingFiles(kept, next), base, sealIdOfNew }));
      },
      ...('keys' in after && { says: after.says }),
      zone: zoneOf(wanted, current),
      busy,
    },
    /** Why its keys cannot be made yet, once that was tried. */
    waits: letter.tried && 'waits' in after ? after.waits : null,
  };
}
