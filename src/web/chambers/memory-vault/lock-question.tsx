// What is asked before a memory is sealed whose lock is long, or has no date: it stands in the form, and nothing is lost by it.
import { useLocation } from 'wouter';
import { toLocalStamp } from '../../../shared/local-stamp.ts';
import { Button } from '../../ui/button.tsx';
import { intoView } from '../../ui/into-view.ts';
import { formatDay } from '../../ui/moments.ts';
import { beginLetter } from '../../vault/legacy/begin-letter.ts';
import { useVault } from '../../vault/session/vault-context.ts';

/** `no-date`: a custom lock without a date. `long`: a lock that is far ahead. */
export type LockQuestionKind = 'no-date' | 'long';

interface LockQuestionProps {
  kind: LockQuestionKind;
  /** Until when it would be locked, in epoch milliseconds. */
  until: number | null;
  /** What a letter of that day would say. */
  letter: { title: string; content: string };
  busy: boolean;
  onYes: () => void;
}

export function LockQuestion({ kind, until, letter, busy, onYes }: LockQuestionProps) {
  const vault = useVault();
  const [, navigate] = useLocation();

  async function sendInstead(on: number) {
    await beginLetter(vault, letter, toLocalStamp(new Date(on), 'date'));
    navigate('/legacy-scroll');
  }

  return (
    <div
      ref={intoView}
      role="alert"
      className="flex flex-wrap items-center gap-x-6 gap-y-4 border border-ember/55 p-5"
    >
      {kind === 'no-date' || until === null ? (
        <>
          <p className="min-w-0 flex-1 basis-64">
            Seal it without a lock? It can then be opened at any time. Some browsers show a date in this field
            before you choose one.
          </p>
          <Button size="small" busy={busy} onClick={onYes}>
            Seal without a lock
          </Button>
        </>
      ) : (
        <>
          <p className="min-w-0 flex-1 basis-full">
            You cannot read this before {formatDay(until)}. Lock it?
          </p>
          <Button size="small" busy={busy} onClick={onYes}>
            Lock it
          </Button>
          <Button size="small" disabled={busy} onClick={() => void sendInstead(until)}>
            Send it to somebody on that day
          </Button>
        </>
      )}
    </div>
  );
}
