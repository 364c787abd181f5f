// Deletes what has expired. Nothing depends on it: every reader checks expiry itself, this only saves room.
import type { Deps } from '../deps.ts';
import { deleteExpired } from './sweep-store.ts';

const EVERY = 60 * 60 * 1000;

/** Sweeps now and hourly. Returns how to stop. */
export function startSweeping(deps: Pick<Deps, 'db' | 'now' | 'log'>): () => void {
  const sweep = () => {
    deleteExpired(deps).catch((error: unknown) => deps.log.error({ err: error }, 'sweeping failed'));
  };
  sweep();
  const timer = setInterval(sweep, EVERY);
  timer.unref();
  return () => clearInterval(timer);
}
