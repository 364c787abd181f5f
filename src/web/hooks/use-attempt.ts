// Doing what a question asks about: whether it is under way, and why it did not work. A dialog shows both.
import { useState } from 'react';
import { sentenceOf } from '../../vault/api/api-error.ts';
import { toast } from '../ui/toaster.tsx';

export interface Attempt {
  busy: boolean;
  /** Why the last try failed, in a sentence; null while none has. */
  problem: string | null;
  /** What the last try ended with; null where it has succeeded, or is under way. */
  refusal: unknown;
  /**
   * Does the work. A failure becomes the problem, and is thrown no further.
   * @param isTold whether a failure is told otherwise, and is no problem to be shown here
   */
  run(work: () => Promise<void>, isTold?: (error: unknown) => boolean | Promise<boolean>): Promise<void>;
  /** A question that is asked anew shows no problem of the last try. */
  forget(): void;
}

/** @param explain a failure in a sentence */
export function useAttempt(explain: (error: unknown) => string = sentenceOf): Attempt {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);

  function forget(): void {
    setProblem(null);
    setRefusal(null);
  }

  async function run(work: () => Promise<void>, isTold?: (error: unknown) => boolean | Promise<boolean>) {
    setBusy(true);
    forget();
    try {
      await work();
    } catch (error) {
      if (await isTold?.(error)) return;
      setProblem(explain(error));
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  }

  return { busy, problem, refusal, run, forget };
}

/** Tells a failure as a toast. @param title of the toast */
export const asToast = (title: string) => (error: unknown) => {
  toast({ title, description: sentenceOf(error), tone: 'destructive' });
  return true;
};
