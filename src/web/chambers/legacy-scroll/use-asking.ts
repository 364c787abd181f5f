// Asks the server for something from fields that stand within another form.
import { type KeyboardEvent, useState } from 'react';
import { sentenceOf } from '../../api/api-error.ts';

/**
 * @param problemOf what is wrong with what was typed; null for nothing
 * @param ask what is asked for
 */
export function useAsking(problemOf: () => string | null, ask: () => Promise<void>) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function press(): Promise<void> {
    const wrong = problemOf();
    setProblem(wrong);
    if (wrong || busy) return;
    setBusy(true);
    try {
      await ask();
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    problem,
    busy,
    press,
    forget: () => setProblem(null),
    pressOnEnter(event: KeyboardEvent): void {
      if (event.key !== 'Enter') return;
      // The form around it asks for something else.
      event.preventDefault();
      void press();
    },
  };
}
