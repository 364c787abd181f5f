// Doing what a question asks about: whether it is under way, and why it did not work. A dialog shows both.
import { useState } from 'react';
import { sentenceOf } from '../../vault/api/api-error.ts';

export interface Attempt {
  busy: boolean;
  /** Why the last try failed, in a sentence; null while none has. */
  problem: string | null;
  /** What the last try ended with; null where it has succeeded, or is under way. */
  refusal: unknown;
  /** Does the work. A failure becomes the problem, and is thrown no further. */
  run(work: () => Promise<void>): Promise<void>;
}

export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem(null);
    setRefusal(null);
    try {
      await work();
    } catch (error) {
      setProblem(sentenceOf(error));
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  }

  return { busy, problem, refusal, run };
}
