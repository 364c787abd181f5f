// Writing a legacy scroll. What is written survives a reload, sealed, until it is sent; the passphrase does not.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { SealError } from '../../../crypto/errors.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { SCROLLS_MAX } from '../../../shared/nouns/legacy.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { FileNotWhole } from '../../../vault/files/problems.ts';
import { detailsOfLetter } from '../../../vault/legacy/letter-files.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { EarlierWentOn } from '../../../vault/outbox/own-refusals.ts';
import { Button } from '../../ui/button.tsx';
import { focusFirstProblem } from '../../ui/first-problem.ts';
import { Problem } from '../../ui/problem.tsx';
import { SUBMIT_KEYS, submitByKey } from '../../ui/submit-by-key.ts';
import { toast } from '../../ui/toaster.tsx';
import { BroughtBack } from '../../vault/entries/brought-back.tsx';
import { SealFailure, whyNotSealed } from '../../vault/entries/seal-failure.tsx';
import { useDraft } from '../../vault/entries/use-draft.ts';
import { useLeavable } from '../../vault/entries/use-leavable.ts';
import { formFiles, keepingFiles, settled, withoutStaying } from '../../vault/files/draft-files.ts';
import { FilesField } from '../../vault/files/files-field-part.ts';
import { stillOnTheirWay, waitsFor } from '../../vault/files/files-waited-for.ts';
import type { ChosenPassphrase, ChosenPassphraseProblems } from '../../vault/key/recovery/new-passphrase.tsx';
import { LETTER_DRAFT } from '../../vault/legacy/begin-letter.ts';
import { StillSealing, WORDS_ARE_SAFE } from '../../vault/sharing/still-sealing.tsx';
import {
  blankForm,
  type FormProblems,
  formProblems,
  problemAtField,
  type ScrollForm,
  timeZoneHere,
} from './form.ts';
import { keysOfChoices, Withholding, weakPassphrases } from './key-fields.tsx';
import { ScrollFields } from './scroll-fields.tsx';
import { useAgreement } from './use-agreement.ts';
import { meantBy, useRecipients } from './use-recipient.ts';
import type { Scrolls } from './use-scrolls.ts';

export const createdWords = {
  title: 'Legacy Scroll Created',
  description: 'It is a draft: nothing sends it before you activate its watch.',
};

/** Why a scroll could not be sealed or sent, as a toast. */
export function failed(title: string, error: unknown) {
  return toast({
    title: error instanceof SealError ? 'Encryption Failed' : title,
    description: whyNotSealed(error),
    tone: 'destructive',
  });
}

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

export function CreationForm({
  scrolls,
  onCreated,
  onClose,
}: {
  scrolls: Scrolls;
  onCreated: (scroll: OpenedScroll) => void;
  /** Leaves what is written as a draft; absent where there is nothing else to show. */
  onClose: (() => void) | undefined;
}) {
  const [blank] = useState(blankDraft);
  // A draft that was begun elsewhere has its words and its day alone.
  const keeping = useDraft<Partial<Draft>>(LETTER_DRAFT, blank);
  const { restored, bringBack } = keeping;
  const leavable = useLeavable(keeping);
  const draft: Draft = { ...blank, ...keeping.value };
  const { sealId, chosen, ...written } = draft;
  const form = withWayThatWorks(written, chosen, scrolls.transports);
  const files = formFiles(keeping, null);
  const onTheirWay = stillOnTheirWay(files.value);
  const { agreed, setAgreed, mustAgree, disagreed } = useAgreement(form, scrolls.transports);
  const [secrets, setSecrets] = useState<Record<string, ChosenPassphrase>>({});
  const [tried, setTried] = useState(false);
  const [weak, setWeak] = useState<Record<string, ChosenPassphraseProblems>>({});
  const [refused, setRefused] = useState<FormProblems>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const found = useRecipients(form.recipients);
  const meant = meantBy(form, found);
  const element = useRef<HTMLFormElement>(null);

  const made = keysOfChoices(form, secrets, found);
  const problems = { ...refused, ...(tried && formProblems(meant, Date.now(), timeZoneHere())) };
  const count = scrolls.list.data?.length ?? 0;
  const waits = tried && 'waits' in made ? made.waits : null;

  function clear() {
    keeping.set(blankDraft());
    keeping.drop();
    clearAnswers();
  }

  function discard() {
    keeping.discard(blankDraft());
    clearAnswers();
  }

  function clearAnswers() {
    setRefused({});
    setSecrets({});
    setWeak({});
    setTried(false);
    setAgreed({});
  }

  // Sent before a reload, and only its answer was lost: it stands in the list as it was written.
  const isKept =
    restored &&
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

  async function create(event: FormEvent) {
    event.preventDefault();
    if (busy || onTheirWay > 0) return;
    const missing = formProblems(meant, Date.now(), timeZoneHere());
    if (Object.keys(missing).length > 0 || disagreed || !('keys' in made)) {
      flushSync(() => setTried(true));
      return focusFirstProblem(element.current);
    }
    const from = document.activeElement;
    setBusy(true);
    setRefusal(null);
    try {
      const wrong = await weakPassphrases(form, secrets);
      if (Object.keys(wrong).length > 0) {
        flushSync(() => {
          setWeak(wrong);
          setBusy(false);
        });
        return focusFirstProblem(element.current);
      }
      const sent = await leavable.send(() => scrolls.create(meant, made.keys, sealId));
      if (!sent) return;
      const scroll = sent.answer;
      clear();
      toast(createdWords);
      onCreated(scroll);
    } catch (error) {
      if (error instanceof FileNotWhole) files.sendAgain(error.fileId);
      if (error instanceof EarlierWentOn)
        keeping.update((kept) => ({
          ...kept,
          sealId: newSealId(),
          files: withoutStaying(kept, error.staying),
        }));
      const atField = refusedAs(error, 'invalid-input') ? problemAtField(sentenceOf(error), meant) : null;
      setRefusal(atField ? null : error);
      if (atField) flushSync(() => setRefused(atField));
      else failed('Failed to Create Legacy Scroll', error);
    } finally {
      // A field that was disabled meanwhile has lost the focus.
      flushSync(() => setBusy(false));
      if (document.activeElement === document.body) giveFocus(element.current, from);
    }
  }

  return (
    <form
      ref={element}
      noValidate
      className="grid gap-6"
      onSubmit={(event) => void create(event)}
      onKeyDown={submitByKey}
      aria-busy={busy}
    >
      <p className="text-note text-dust empty:hidden">
        <BroughtBack {...{ restored, bringBack, onDiscard: discard, disabled: busy }} />
      </p>
      {count >= SCROLLS_MAX && (
        <p className="text-ember" role="status">
          This vault keeps {SCROLLS_MAX} letters, and no more can be made. Delete one before you write
          another.
        </p>
      )}
      <ScrollFields
        form={form}
        onChange={(next) => {
          setRefused({});
          const isNowChosen = chosen || isChosen(next, form);
          keeping.update((kept) => ({ ...keepingFiles(kept, next), sealId, chosen: isNowChosen }));
        }}
        problems={problems}
        found={found}
        transports={scrolls.transports}
        secrets={secrets}
        onSecrets={(next) => {
          setSecrets(next);
          setWeak({});
        }}
        weak={weak}
        agreed={agreed}
        onAgree={setAgreed}
        mustAgree={mustAgree}
        tried={tried}
        zone={timeZoneHere()}
        busy={busy}
        beneath={<FilesField files={files} removePlaceByDefault />}
      />
      <Withholding />
      <Problem>{waits}</Problem>
      <SealFailure error={refusal} />
      <StillSealing isSlow={leavable.isSlow}>
        {WORDS_ARE_SAFE} A passphrase that you have typed is not kept.
      </StillSealing>
      <div className="flex flex-wrap justify-end gap-4 max-sm:*:grow">
        {onClose && (
          <Button onClick={onClose} disabled={busy}>
            Not now
          </Button>
        )}
        <Button
          type="submit"
          tone="primary"
          aria-keyshortcuts={SUBMIT_KEYS}
          busy={busy}
          busyLabel="Sealing..."
          disabled={onTheirWay > 0}
        >
          {onTheirWay > 0 ? waitsFor(onTheirWay) : 'Seal the letter'}
        </Button>
      </div>
    </form>
  );
}
