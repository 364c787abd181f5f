// Deletes what has expired. No answer depends on it: every reader checks expiry itself. It saves room, and sees to it
// that words are not merely withheld when their time is over.
import type { Deps } from '../deps.ts';
import { deleteExpired } from './sweep-store.ts';

const EVERY = 60 * 1000;

/** Sweeps now and every minute. Returns how to stop. */
export function startSweeping(deps: Pick<Deps, 'db' | 'engine' | 'now' | 'log'>): () => void {
  const sweep = () => {
    deleteExpired(deps).catch((error: unknown) => deps.log.error({ err: error }, 'sweeping failed'));
  };
  sweep();
  const timer = setInterval(sweep, EVERY);
  timer.unref();
  return () => clearInterval(timer);
}
