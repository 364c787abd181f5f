// Writing a legacy scroll. What is written survives a reload, sealed, until it is sent; the passphrase does not.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { SealError } from '../../../crypto/errors.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { SCROLLS_MAX } from '../../../shared/nouns/legacy.ts';
import { refusedAs, sentenceOf } from '../../api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SUBMIT_KEYS, submitByKey } from '../../ui/submit-by-key.ts';
import { toast } from '../../ui/toaster.tsx';
import { useDraft } from '../../vault/entries/use-draft.ts';
import { AnotherKey } from '../../vault/key/key-in-hand.ts';
import { PlanLimit } from '../../vault/plan/plan-limit.tsx';
import type { ChosenPassphraseProblems } from '../../vault/recovery/new-passphrase.tsx';
import { useNewAsked } from '../../vault/session/new-address.ts';
import {
  blankForm,
  type FormProblems,
  formProblems,
  problemAtField,
  type ScrollForm,
  timeZoneHere,
} from './form.ts';
import {
  blankChoice,
  choiceProblems,
  type KeyChoice,
  KeyFields,
  keyOfChoice,
  Withholding,
} from './key-fields.tsx';
import { ScrollFields } from './scroll-fields.tsx';
import type { OpenedScroll } from './sealing.ts';
import { meantBy, useRecipient } from './use-recipient.ts';
import type { Scrolls } from './use-scrolls.ts';

export const createdWords = {
  title: 'Legacy Scroll Created',
  description: 'It is dormant: nothing releases it before you activate its watch.',
};

/** Why a scroll could not be sealed or sent, as a toast. */
export function failed(title: string, error: unknown) {
  return toast(
    error instanceof SealError
      ? {
          title: 'Encryption Failed',
          description: 'Your words could not be sealed. Nothing was sent.',
          tone: 'destructive',
        }
      : {
          title,
          description:
            error instanceof AnotherKey
              ? 'Another tab has put another key into this browser. Reload before you go on.'
              : sentenceOf(error),
          tone: 'destructive',
        },
  );
}

/** On the first field that says what is wrong with it, or else where it was. */
function giveFocus(form: HTMLElement | null, from: Element | null) {
  focusFirstProblem(form);
  if (document.activeElement === document.body && from instanceof HTMLElement) from.focus();
}

/** Puts the focus on the first field that says what is wrong with it. */
export function focusFirstProblem(form: HTMLElement | null) {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** Its seal number is kept with what is written: sent once more after a reload, it is still the same scroll. */
type Draft = ScrollForm & { kind: KeyChoice['kind']; sealId: string };
const blankDraft = (): Draft => ({ ...blankForm, kind: 'card', sealId: newSealId() });

export function CreationForm({
  scrolls,
  onCreated,
}: {
  scrolls: Scrolls;
  onCreated: (scroll: OpenedScroll) => void;
}) {
  const [draft, setDraft, dropDraft, restored] = useDraft<Draft>('legacy-scroll', blankDraft);
  const { kind, sealId, ...form } = draft;
  const [secret, setSecret] = useState(blankChoice);
  const choice = { ...secret, kind };
  const [tried, setTried] = useState(false);
  const [weak, setWeak] = useState<ChosenPassphraseProblems>({});
  const [refused, setRefused] = useState<FormProblems>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const recipient = useRecipient(form);
  const meant = meantBy(form, recipient);
  const element = useRef<HTMLFormElement>(null);

  const made = keyOfChoice(choice, form.recipientType, recipient);
  const problems = { ...refused, ...(tried && formProblems(meant, Date.now(), timeZoneHere())) };
  useNewAsked('/legacy-scroll', () => {
    const field = element.current?.querySelector<HTMLElement>('input, select, textarea');
    field?.scrollIntoView({ block: 'center' });
    field?.focus();
  });
  const count = scrolls.list.data?.length ?? 0;
  const waits = tried && 'waits' in made ? made.waits : null;

  function clear() {
    setDraft(blankDraft());
    dropDraft();
    setRefused({});
    setSecret(blankChoice);
    setWeak({});
    setTried(false);
  }

  // Sent before a reload, and only its answer was lost: it stands in the list as it was written.
  const isKept =
    restored &&
    !busy &&
    scrolls.list.data?.some(
      (scroll) =>
        scroll.sealId === sealId && scroll.title === form.title && scroll.letter?.content === form.content,
    );
  useEffect(() => {
    if (isKept) clear();
  });

  async function create(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (Object.keys(formProblems(meant, Date.now(), timeZoneHere())).length > 0 || !('key' in made)) {
      flushSync(() => setTried(true));
      return focusFirstProblem(element.current);
    }
    const from = document.activeElement;
    setBusy(true);
    setRefusal(null);
    try {
      const wrong = await choiceProblems(choice, made);
      if (Object.keys(wrong).length > 0) {
        flushSync(() => {
          setWeak(wrong);
          setBusy(false);
        });
        return focusFirstProblem(element.current);
      }
      const scroll = await scrolls.create(meant, made.key, sealId);
      clear();
      toast(createdWords);
      onCreated(scroll);
    } catch (error) {
      setRefusal(error);
      const atField = refusedAs(error, 'invalid-input') ? problemAtField(sentenceOf(error)) : null;
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
      {restored && (
        <p className="flex flex-wrap items-baseline gap-x-6 text-note text-dust">
          What you had begun to write is still here.
          <Button tone="caps" onClick={clear} disabled={busy}>
            Discard it
          </Button>
        </p>
      )}
      {count >= SCROLLS_MAX && (
        <p className="text-ember" role="status">
          This vault keeps {SCROLLS_MAX} scrolls, and no more can be made. Delete one before you write
          another.
        </p>
      )}
      <ScrollFields
        form={form}
        onChange={(next) => {
          setRefused({});
          setDraft({ ...next, kind, sealId });
        }}
        problems={problems}
        recipient={recipient}
        transports={scrolls.transports}
        zone={timeZoneHere()}
        busy={busy}
      />
      {form.recipientType !== 'whisper' && (
        <KeyFields
          choice={choice}
          onChange={(next) => {
            setSecret(next);
            setWeak({});
            if (next.kind !== kind) setDraft({ ...form, kind: next.kind, sealId });
          }}
          problems={weak}
        />
      )}
      <Withholding />
      <Problem>{waits}</Problem>
      <PlanLimit error={refusal} />
      <div className="flex flex-wrap justify-end gap-4 max-sm:*:grow">
        <Button
          type="submit"
          tone="primary"
          aria-keyshortcuts={SUBMIT_KEYS}
          busy={busy}
          busyLabel="Sealing..."
        >
          Create Legacy Scroll
        </Button>
      </div>
    </form>
  );
}
