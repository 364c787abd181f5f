// Sweeps every minute, for as long as the server runs.

import type { Logger } from 'pino';
import { MINUTE } from '../../shared/time.ts';

const EVERY = MINUTE;

/**
 * Sweeps now and every minute, one sweep after the other.
 * @returns how to stop, and to wait for the sweep under way
 */
export function startSweeping(
  sweep: (signal: AbortSignal) => Promise<void>,
  log: Logger,
): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const begin = () => {
    running ??= sweep(stopping.signal)
      .catch((error: unknown) => log.error({ err: error }, 'sweeping failed'))
      .finally(() => {
        running = null;
      });
  };
  begin();
  const timer = setInterval(begin, EVERY);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
