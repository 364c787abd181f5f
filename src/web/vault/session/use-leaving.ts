// Signing out by a press: whether it is under way, and why it did not come about.
import { useState } from 'react';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { leave } from './leaving.ts';
import { KeysNotSealed } from './lock-away.ts';
import { NOT_SEALED } from './not-sealed.ts';

export interface Leaving {
  busy: boolean;
  /** In a sentence; null while nothing went wrong. */
  problem: string | null;
  /** As `leave` has it. A failure becomes the problem, and is thrown no further. */
  go(uid: string | null, takesKey: boolean): Promise<void>;
}

export function useLeaving(): Leaving {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    busy,
    problem,
    async go(uid, takesKey) {
      setBusy(true);
      setProblem(null);
      try {
        await leave(uid, takesKey);
      } catch (error) {
        setProblem(error instanceof KeysNotSealed ? NOT_SEALED : sentenceOf(error));
      }
      // Where it came about, the page is about to go.
      setBusy(false);
    },
  };
}
