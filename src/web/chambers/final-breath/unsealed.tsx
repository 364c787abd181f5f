// No breath is sealed yet: the threshold of the rite, and the form in which it is written. What is written survives a
// reload, sealed, until it is sent.
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { SealError } from '../../../crypto/errors.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { SUBMIT_KEYS, submitByKey } from '../../ui/submit-by-key.ts';
import { TextArea } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { BroughtBack } from '../../vault/entries/brought-back.tsx';
import { SealFailure } from '../../vault/entries/seal-failure.tsx';
import { SeveralDrafts } from '../../vault/entries/several-drafts.tsx';
import { useDraft } from '../../vault/entries/use-draft.ts';
import { useLeavable } from '../../vault/entries/use-leavable.ts';
import { useNewAsked } from '../../vault/session/new-address.ts';
import { StillSealing } from '../../vault/sharing/still-sealing.tsx';
import { BREATH_DRAFT, type BreathDraft, blankDraft, reworded } from './draft.ts';
import type { BreathHook } from './use-breath.ts';

/** What is written, kept as a draft until it is sealed. */
function useBreathForm(breath: BreathHook) {
  const kept = useDraft(BREATH_DRAFT, blankDraft);
  const { value: draft, restored, bringBack } = kept;
  const leavable = useLeavable(kept);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);

  function write(next: BreathDraft) {
    breath.note(next, kept.slot());
    kept.set(next);
  }

  function drop() {
    breath.note(null);
    kept.drop();
  }

  function discard() {
    breath.note(null);
    kept.discard(blankDraft);
  }

  async function seal(event: FormEvent) {
    event.preventDefault();
    if (draft.content.trim() === '' || busy) return;
    setBusy(true);
    setRefusal(null);
    const sealId = draft.sealId ?? newSealId();
    const sent = { ...draft, sealId };
    write(sent);
    try {
      if (!(await leavable.send(() => breath.seal(draft.content, sealId, draft), sent))) return;
      drop();
      toast({
        title: 'Final Breath Sealed',
        description: 'It was sealed in this browser. It waits here until you release it, once.',
      });
    } catch (error) {
      fail(error);
      setBusy(false);
    }
  }

  function fail(error: unknown) {
    setRefusal(error);
    if (error instanceof SealError) {
      return toast({
        title: 'Encryption Failed',
        description: 'Your words could not be sealed. Nothing was sent.',
        tone: 'destructive',
      });
    }
    const other = refusedAs(error, 'breath-sealed');
    toast({
      title: 'Failed to Seal Final Breath',
      description: other
        ? `${sentenceOf(error)} What you wrote here stays in this browser, as a draft.`
        : sentenceOf(error),
      tone: 'destructive',
    });
    if (!other) return;
    // What stands sealed is not this text.
    write(reworded(draft, draft.content));
    void breath.query.refetch();
  }

  return { draft, restored, bringBack, busy, refusal, isSlow: leavable.isSlow, write, discard, seal };
}

export function Unsealed({ breath }: { breath: BreathHook }) {
  const [begun, setBegun] = useState<boolean | null>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const form = useBreathForm(breath);
  const { draft, restored, bringBack, busy, isSlow } = form;

  useNewAsked('/final-breath', () => {
    setBegun(true);
    text.current?.focus();
  });

  function discard() {
    form.discard();
    setBegun(true);
  }

  if (!(begun ?? restored)) return <Threshold onBegin={() => setBegun(true)} />;
  return (
    <Room align="start" width="form" eyebrow="Final Breath" title="Say it once">
      <p className="text-note text-dust empty:hidden">
        <BroughtBack {...{ restored, bringBack, onDiscard: discard, disabled: busy }} />
      </p>
      <SeveralDrafts list="/final-breath" />
      <form className="grid gap-8" onSubmit={(event) => void form.seal(event)} onKeyDown={submitByKey}>
        <TextArea
          ref={text}
          label="Your final breath"
          labelHidden
          rows={9}
          autoFocus={begun === true}
          value={draft.content}
          onChange={(event) => form.write(reworded(draft, event.target.value))}
          hint="Sealed in this browser before it leaves. This server cannot read it."
          disabled={busy}
        />
        <p className="border-l border-ember/55 pl-4 text-note text-dust">
          Only you will read it, and only once; it is sent to nobody. There is one for each vault. Once it is
          sealed it can neither be looked at nor changed. You can release it: then it is shown to you once,
          and destroyed. Or you can delete it unread. <ForOthers />
        </p>
        <SealFailure error={form.refusal} />
        <StillSealing isSlow={isSlow} />
        <div className="flex flex-row-reverse flex-wrap justify-between gap-4 max-sm:*:grow">
          <Button
            type="submit"
            tone="primary"
            aria-keyshortcuts={SUBMIT_KEYS}
            busy={busy}
            busyLabel="Sealing..."
            disabled={draft.content.trim() === ''}
          >
            Seal Final Breath
          </Button>
          <Button onClick={() => setBegun(false)} disabled={busy && !isSlow}>
            Not now
          </Button>
        </div>
      </form>
    </Room>
  );
}

function Threshold({ onBegin }: { onBegin: () => void }) {
  return (
    <Room
      sigil="breath"
      eyebrow="Chamber six · once only"
      title="Final Breath"
      lead="One message that only you can read, once. It stays sealed until you release it, and is then destroyed. A vault holds only one."
    >
      <p className="text-balance text-dust">
        <ForOthers />
      </p>
      <Button tone="primary" onClick={onBegin}>
        Begin the Final Rite
      </Button>
    </Room>
  );
}

/** Whoever means to leave words to somebody else is in the wrong chamber. */
function ForOthers() {
  return (
    <>
      For a letter to somebody else, write a{' '}
      <Link href="/legacy-scroll" className="text-bone underline underline-offset-4 hover:text-ember">
        legacy scroll
      </Link>
      .
    </>
  );
}
