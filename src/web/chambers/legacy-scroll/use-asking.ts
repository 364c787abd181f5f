// Asks the server for something from fields that stand within another form.
import { type KeyboardEvent, useState } from 'react';
import { useAttempt } from '../../hooks/use-attempt.ts';

/**
 * @param problemOf what is wrong with what was typed; null for nothing
 * @param ask what is asked for
 */
export function useAsking(problemOf: () => string | null, ask: () => Promise<void>) {
  const [wrong, setWrong] = useState<string | null>(null);
  const [isForgotten, setForgotten] = useState(false);
  const { busy, problem, run } = useAttempt();

  async function press(): Promise<void> {
    const found = problemOf();
    setWrong(found);
    setForgotten(false);
    if (found === null && !busy) await run(ask);
  }

  return {
    /** What was typed is looked at first. */
    problem: isForgotten ? null : (wrong ?? problem),
    busy,
    press,
    /** Something else is asked for now. */
    forget: () => setForgotten(true),
    pressOnEnter(event: KeyboardEvent): void {
      if (event.key !== 'Enter') return;
      // The form around it asks for something else.
      event.preventDefault();
      void press();
    },
  };
}
