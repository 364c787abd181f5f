// Deletes what has expired, and erases what destroyed vaults held. No answer depends on it: every reader checks by itself.
// It saves room, and sees to it that words are not merely withheld when their time is over.
import type { Deps } from '../deps.ts';
import { deleteExpired } from './sweep-store.ts';

const EVERY = 60 * 1000;

/** Sweeps now and every minute, one sweep after the other. Returns how to stop, and to wait for the one under way. */
export function startSweeping(
  deps: Pick<Deps, 'db' | 'engine' | 'now' | 'log' | 'digests'>,
): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const sweep = () => {
    running ??= deleteExpired(deps, stopping.signal)
      .catch((error: unknown) => deps.log.error({ err: error }, 'sweeping failed'))
      .finally(() => {
        running = null;
      });
  };
  sweep();
  const timer = setInterval(sweep, EVERY);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
