// A sealed breath: released behind a question, or burned unread behind a word.
import { useEffect, useState } from 'react';
import type { Breath } from '../../../shared/nouns/final-breath.ts';
import { refusedAs } from '../../../vault/api/api-error.ts';
import { asToast, useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Room } from '../../ui/page.tsx';
import { toast } from '../../ui/toaster.tsx';
import type { BreathHook } from './use-breath.ts';

interface SealedProps {
  sealed: Breath;
  breath: BreathHook;
  /** Releases it; never rejects. */
  onRelease: () => Promise<void>;
}

/** Whether something stays as a draft that is not in the breath. */
function useDraftStays({ sealed, breath }: SealedProps): boolean {
  const [draftStays, setDraftStays] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each breath
  useEffect(() => void breath.settleDraft(sealed).then(setDraftStays), [sealed.sealId]);
  return draftStays;
}

/** What is asked before it is released or burned, and what follows a yes. */
function useQuestions({ sealed, breath, onRelease }: SealedProps) {
  const [question, setQuestion] = useState<'release' | 'burn' | null>(null);
  const { busy, problem, run } = useAttempt();
  const close = () => setQuestion(null);

  /** Before the question: whether it still stands sealed, and whether a key here opens it. */
  const askForRelease = () =>
    run(async () => {
      const fresh = await breath.look();
      if (!fresh || fresh.releasedAt !== null) return gone();
      if (await breath.canOpen(fresh)) return setQuestion('release');
      toast({
        title: 'Failed to Decrypt',
        description:
          'Unable to decrypt this breath. Your encryption key may have changed. It was not released.',
        tone: 'destructive',
      });
    }, asToast('Failed to Release'));

  function gone() {
    toast({ title: 'Final Breath Gone', description: 'It was released or deleted elsewhere.' });
  }

  async function release() {
    await run(onRelease);
    close();
  }

  const burn = () =>
    run(
      async () => {
        await breath.burn(sealed);
        toast({
          title: 'Final Breath Deleted',
          description: 'Nobody has read it. Nothing of it is left here.',
        });
      },
      (error) => {
        const isGone = refusedAs(error, 'not-found', 'breath-released');
        if (isGone) {
          gone();
          void breath.query.refetch();
        }
        return isGone;
      },
    );

  return {
    question,
    busy,
    problem,
    close,
    askForRelease,
    askToBurn: () => setQuestion('burn'),
    release,
    burn,
  };
}

export function Sealed(props: SealedProps) {
  const { sealed } = props;
  const asked = useQuestions(props);
  const { question, busy } = asked;
  const draftStays = useDraftStays(props);

  return (
    <>
      <Room
        sigil="candle"
        eyebrow={`Sealed ${formatMoment(sealed.createdAt)}`}
        title="Your final breath is sealed"
        lead="It cannot be looked at. Releasing it shows it to you once, here, and destroys it."
      >
        <div className="grid justify-items-center gap-4">
          <Button
            tone="primary"
            onClick={() => void asked.askForRelease()}
            busy={busy && question === null}
            busyLabel="Looking"
          >
            Release Final Breath
          </Button>
          <Button tone="caps" onClick={asked.askToBurn}>
            Delete it unread
          </Button>
          {draftStays && (
            <p role="note" className="mt-4 max-w-gate text-note text-dust">
              Something else that you wrote for it, or wrote on after it was sent, is not in it. That stays in
              this browser, as a draft, and is here again when this one has been released or deleted.
            </p>
          )}
        </div>
      </Room>
      {question === 'release' && (
        <ConfirmDialog
          open
          onClose={asked.close}
          onConfirm={() => void asked.release()}
          title="Release your final breath?"
          description="It is shown to you now, on this screen, once. As soon as it stands there it is erased from this server, and nothing brings it back. Copies in the administrator’s backups are out of its reach."
          confirmLabel="Release it"
          cancelLabel="Not yet"
          busy={busy}
          busyLabel="Releasing"
        />
      )}
      {question === 'burn' && (
        <ConfirmDialog
          open
          onClose={asked.close}
          onConfirm={() => void asked.burn()}
          title="Delete it unread?"
          description="It is erased from this server without having been read, and nothing brings it back. Copies in the administrator’s backups are out of its reach. A new one can then be written."
          word="BURN"
          confirmLabel="Delete it"
          busy={busy}
          busyLabel="Deleting"
          error={asked.problem}
        />
      )}
    </>
  );
}
