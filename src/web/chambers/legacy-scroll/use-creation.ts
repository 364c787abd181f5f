// The making of a letter: its draft, and how it is sealed and sent.
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { newSealId } from '../../../crypto/seal.ts';
import { detailsOfLetter } from '../../../vault/legacy/letter-files.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { focusFirstProblem } from '../../ui/first-problem.ts';
import { toast } from '../../ui/toaster.tsx';
import { useDraft } from '../../vault/entries/use-draft.ts';
import { useLeavable } from '../../vault/entries/use-leavable.ts';
import { keepingFiles, settled } from '../../vault/files/draft-files.ts';
import { stillOnTheirWay } from '../../vault/files/files-waited-for.ts';
import { LETTER_DRAFT } from '../../vault/legacy/begin-letter.ts';
import { blankForm, formProblems, type ScrollForm, timeZoneHere } from './form.ts';
import { keysOfChoices } from './key-fields.tsx';
import { createdWords, useLetterForm } from './use-letter-form.ts';
import type { Scrolls } from './use-scrolls.ts';

/** On the first field that says what is wrong with it, or else where it was. */
function giveFocus(form: HTMLElement | null, from: Element | null) {
  focusFirstProblem(form);
  if (document.activeElement === document.body && from instanceof HTMLElement) from.focus();
}

/** Before anybody has chosen how the recipient is told: a way that works on this server. */
function withWayThatWorks(form: ScrollForm, chosen: boolean, transports: Scrolls['transports']): ScrollForm {
  if (chosen || transports?.email !== false) return form;
  return { ...form, recipients: form.recipients.map((one) => ({ ...one, recipientType: 'card' })) };
}

/** Whether somebody has said who receives it, or how. */
const isChosen = (next: ScrollForm, before: ScrollForm): boolean =>
  next.recipients.length > 1 ||
  next.recipients.some(
    ({ recipientType, recipientAddress }) =>
      recipientAddress !== '' || recipientType !== before.recipients[0]?.recipientType,
  );

/** Its seal number is kept with what is written: sent once more after a reload, it is still the same scroll. */
type Draft = ScrollForm & { sealId: string; chosen: boolean };
const blankDraft = (): Draft => ({ ...blankForm(), sealId: newSealId(), chosen: false });

export function useCreation(scrolls: Scrolls, onCreated: (scroll: OpenedScroll) => void) {
  const [blank] = useState(blankDraft);
  // A draft that was begun elsewhere has its words and its day alone.
  const keeping = useDraft<Partial<Draft>>(LETTER_DRAFT, blank);
  const leavable = useLeavable(keeping);
  const { sealId, chosen, ...written }: Draft = { ...blank, ...keeping.value };
  const form = withWayThatWorks(written, chosen, scrolls.transports);
  const letter = useLetterForm({
    draft: keeping,
    details: null,
    renewed: () => ({ sealId: newSealId() }),
    form,
    transports: scrolls.transports,
    problemsOf: (meant) => formProblems(meant, Date.now(), timeZoneHere()),
  });
  const { files } = letter;
  const made = keysOfChoices(form, letter.secrets, letter.found);
  const [busy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);

  function clear() {
    keeping.set(blankDraft());
    keeping.drop();
    letter.clear();
  }

  // Sent before a reload, and only its answer was lost: it stands in the list as it was written.
  const isKept =
    keeping.restored &&
    !busy &&
    scrolls.list.data?.some(
      (scroll) =>
        scroll.sealId === sealId &&
        scroll.title === form.title &&
        scroll.letter?.content === form.content &&
        settled(detailsOfLetter(scroll.letter), files.value).added.length === 0,
    );
  useEffect(() => {
    if (isKept) clear();
  });

  function change(next: ScrollForm) {
    letter.forgetRefused();
    const isNowChosen = chosen || isChosen(next, form);
    keeping.update((kept) => ({ ...keepingFiles(kept, next), sealId, chosen: isNowChosen }));
  }

  async function create() {
    if (busy || stillOnTheirWay(files.value) > 0) return;
    if (letter.isMissing() || !('keys' in made)) {
      flushSync(() => letter.setTried(true));
      return focusFirstProblem(element.current);
    }
    const from = document.activeElement;
    setBusy(true);
    letter.setRefusal(null);
    try {
      if (await letter.isTooWeak()) {
        flushSync(() => setBusy(false));
        return focusFirstProblem(element.current);
      }
      const sent = await leavable.send(() => scrolls.create(letter.meant, made.keys, sealId));
      if (!sent) return;
      clear();
      toast(createdWords);
      onCreated(sent.answer);
    } catch (error) {
      letter.refuse('Failed to Create Legacy Scroll', error);
    } finally {
      // A field that was disabled meanwhile has lost the focus.
      flushSync(() => setBusy(false));
      if (document.activeElement === document.body) giveFocus(element.current, from);
    }
  }

  return {
    element,
    busy,
    isSlow: leavable.isSlow,
    restored: keeping.restored,
    bringBack: keeping.bringBack,
    discard() {
      keeping.discard(blankDraft());
      letter.clear();
    },
    files,
    refusal: letter.refusal,
    /** Why its keys cannot be made yet, once that was tried. */
    waits: letter.tried && 'waits' in made ? made.waits : null,
    fields: { ...letter.fields, onChange: change, zone: timeZoneHere(), busy },
    create,
  };
}
