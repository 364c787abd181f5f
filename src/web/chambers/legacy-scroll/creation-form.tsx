// Writing a legacy scroll. What is written survives a reload, sealed, until it is sent; the passphrase does not.
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { SealError } from '../../../crypto/errors.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { sentenceOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { toast } from '../../ui/toaster.tsx';
import { AnotherKey } from '../../vault/key-in-hand.ts';
import { useDraft } from '../../vault/use-draft.ts';
import { blankForm, formProblems, type ScrollForm, timeZoneHere } from './form.ts';
import { blankChoice, type KeyChoice, KeyFields, keyOfChoice, Withholding } from './key-fields.tsx';
import { ScrollFields } from './scroll-fields.tsx';
import { useRecipient } from './use-recipient.ts';
import type { OpenedScroll, Scrolls } from './use-scrolls.ts';

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

/** Puts the focus on the first field that says what is wrong with it. */
export function focusFirstProblem(form: HTMLElement | null) {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

export function CreationForm({
  scrolls,
  onCreated,
}: {
  scrolls: Scrolls;
  onCreated: (scroll: OpenedScroll) => void;
}) {
  const [draft, setDraft, dropDraft, restored] = useDraft<ScrollForm & { kind: KeyChoice['kind'] }>(
    'legacy-scroll',
    {
      ...blankForm,
      kind: 'card',
    },
  );
  const { kind, ...form } = draft;
  const [secret, setSecret] = useState(blankChoice);
  const choice = { ...secret, kind };
  const [tried, setTried] = useState(false);
  const [sealId, setSealId] = useState(newSealId);
  const [busy, setBusy] = useState(false);
  const recipient = useRecipient(form);
  const element = useRef<HTMLFormElement>(null);

  const made = keyOfChoice(choice, form.recipientType, recipient);
  const problems = tried ? formProblems(form, Date.now(), timeZoneHere()) : {};
  const waits = tried && 'waits' in made ? made.waits : null;

  function clear() {
    setDraft({ ...blankForm, kind: 'card' });
    dropDraft();
    setSecret(blankChoice);
    setTried(false);
  }

  async function create(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (Object.keys(formProblems(form, Date.now(), timeZoneHere())).length > 0 || !('key' in made)) {
      flushSync(() => setTried(true));
      return focusFirstProblem(element.current);
    }
    setBusy(true);
    try {
      const scroll = await scrolls.create(form, made.key, sealId);
      clear();
      setSealId(newSealId());
      toast({
        title: 'Legacy Scroll Created',
        description: 'It is dormant: nothing releases it before you activate its watch.',
      });
      onCreated(scroll);
    } catch (error) {
      failed('Failed to Create Legacy Scroll', error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      ref={element}
      noValidate
      className="grid gap-6"
      onSubmit={(event) => void create(event)}
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
      <ScrollFields
        form={form}
        onChange={(next) => setDraft({ ...next, kind })}
        problems={problems}
        recipient={recipient}
        couriers={scrolls.couriers}
        zone={timeZoneHere()}
        busy={busy}
      />
      {form.recipientType !== 'whisper' && (
        <KeyFields
          choice={choice}
          onChange={(next) => {
            setSecret(next);
            if (next.kind !== kind) setDraft({ ...form, kind: next.kind });
          }}
          problems={tried && 'problems' in made ? made.problems : {}}
        />
      )}
      <Withholding />
      <Problem>{waits}</Problem>
      <div className="flex flex-wrap justify-end gap-4 max-sm:*:grow">
        <Button type="submit" tone="primary" busy={busy} busyLabel="Sealing...">
          Create Legacy Scroll
        </Button>
      </div>
    </form>
  );
}
