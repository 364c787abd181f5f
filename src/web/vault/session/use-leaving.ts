// Signing out by a press: whether it is under way, and why it did not come about.
import { useState } from 'react';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { leave, NotSignedOut } from './leave.ts';
import { KeysNotSealed } from './lock-away.ts';
import { NOT_SEALED } from './not-sealed.ts';

type LeavingUser = Parameters<typeof leave>[1];

export interface Leaving {
  busy: boolean;
  /** In a sentence; null while nothing went wrong. */
  problem: string | null;
  /** Leaves all the same, where the problem is a key that would be lost by that; null where it is not. */
  lose: (() => void) | null;
  /** As `leave` has it. A failure becomes the problem, and is thrown no further. */
  go(user: LeavingUser, takesKey: boolean): Promise<void>;
}

const NOT_SIGNED_OUT =
  'The server did not say that your session has ended, so that it may go on. Nothing was removed from this browser. Check your connection and try again; or lock the vault, and end this session from another device.';

function sentenceFor(error: unknown): string {
  if (error instanceof KeysNotSealed) return NOT_SEALED;
  return error instanceof NotSignedOut ? NOT_SIGNED_OUT : sentenceOf(error);
}

export function useLeaving(): Leaving {
  const { fetch } = useApi();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [lose, setLose] = useState<Leaving['lose']>(null);

  async function go(user: LeavingUser, takesKey: boolean, loses = false) {
    setBusy(true);
    setProblem(null);
    setLose(null);
    try {
      await leave(fetch, user, takesKey, loses);
    } catch (error) {
      setProblem(sentenceFor(error));
      if (error instanceof KeysNotSealed) setLose(() => () => void go(user, takesKey, true));
    }
    // Where it came about, the page is about to go.
    setBusy(false);
  }
  return { busy, problem, lose, go: (user, takesKey) => go(user, takesKey) };
}
