// When the library that verifies passkeys is loaded. It takes a tenth of a second, in which nobody else is answered: not
// while the server starts, not in a request if that can be helped, but when there is nothing to do.
import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import { SECOND } from '../../../shared/time.ts';

/** The library. Whoever comes before it is there waits for it. */
export const loadPasskeyLibrary = () => import('./passkey-library.ts');

/** How often it is looked whether there is nothing to do. */
const EVERY = 2 * SECOND;
/** Below this share of the time at work there is nothing to do. */
const IDLE_BELOW = 0.05;

interface PasskeyLoading {
  log: Pick<Logger, 'warn'>;
  load?: () => Promise<unknown>;
  /** The share of the time since the last look that was spent at work, from 0 to 1. */
  share?: () => number;
}

/**
 * Loads the library at the first look that finds the server idle.
 * @returns how to give up
 */
export function loadWhenIdle({
  log,
  load = loadPasskeyLibrary,
  share = shareAtWork(),
}: PasskeyLoading): () => void {
  const timer = setInterval(() => {
    if (share() >= IDLE_BELOW) return;
    clearInterval(timer);
    load().catch((error: unknown) => log.warn({ err: error }, 'passkeys cannot be verified'));
  }, EVERY);
  timer.unref();
  return () => clearInterval(timer);
}

function shareAtWork(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
