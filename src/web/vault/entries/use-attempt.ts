// What an import is doing just now: one thing at a time, how far it is, and why it ended where it failed.
import { useEffect, useRef, useState } from 'react';
import { BringingStopped } from '../../../vault/outbox/bringing.ts';

/** What is under way, as a progress bar shows it. */
export interface Underway {
  label: string;
  value?: number;
  max?: number;
  text?: string;
}

export type Attempts = ReturnType<typeof useAttempt>;

/** @param explain what is said of an error; null for nothing */
export function useAttempt(explain: (error: unknown) => string | null) {
  const [underway, setUnderway] = useState<Underway | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  // Whatever takes the page away ends its work.
  useEffect(() => () => running.current?.abort(), []);

  return {
    underway,
    problem,
    /** What it failed with. */
    refusal,
    setUnderway,
    setProblem,

    /** One thing at a time: what comes later ends what is under way. */
    async attempt(begin: Underway, doing: (signal: AbortSignal) => Promise<void>) {
      running.current?.abort();
      const mine = new AbortController();
      running.current = mine;
      setProblem(null);
      setRefusal(null);
      setUnderway(begin);
      try {
        await doing(mine.signal);
      } catch (error) {
        if (running.current !== mine) return;
        setProblem(explain(error));
        setRefusal(error instanceof BringingStopped ? error.cause : error);
      } finally {
        if (running.current === mine) {
          running.current = null;
          setUnderway(null);
        }
      }
    },

    /** Ends what is under way, which says so itself. */
    abort: () => running.current?.abort(),

    /** Ends what is under way without a word. */
    clear() {
      running.current?.abort();
      running.current = null;
      setProblem(null);
      setRefusal(null);
      setUnderway(null);
    },
  };
}
