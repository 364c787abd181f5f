// Signing out by a press: whether it is under way, and why it did not come about.
import { useState } from 'react';
import type { User } from '../../../shared/nouns/user.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { leave, NotSignedOut } from './leaving.ts';
import { KeysNotSealed } from './lock-away.ts';
import { NOT_SEALED } from './not-sealed.ts';

export interface Leaving {
  busy: boolean;
  /** In a sentence; null while nothing went wrong. */
  problem: string | null;
  /** As `leave` has it. A failure becomes the problem, and is thrown no further. */
  go(user: Pick<User, 'id' | 'signedInBy'> | null, takesKey: boolean): Promise<void>;
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
  return {
    busy,
    problem,
    async go(user, takesKey) {
      setBusy(true);
      setProblem(null);
      try {
        await leave(fetch, user, takesKey);
      } catch (error) {
        setProblem(sentenceFor(error));
      }
      // Where it came about, the page is about to go.
      setBusy(false);
    },
  };
}
