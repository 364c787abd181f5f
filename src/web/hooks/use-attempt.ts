// Doing what a question asks about: whether it is under way, and why it did not work. A dialog shows both.
import { useState } from 'react';
import { sentenceOf } from '../api/api-error.ts';

export interface Attempt {
  busy: boolean;
  /** Why the last try failed, in a sentence; null while none has. */
  problem: string | null;
  /** Does the work. A failure becomes the problem, and is thrown no further. */
  run(work: () => Promise<void>): Promise<void>;
}

export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return { busy, problem, run };
}
