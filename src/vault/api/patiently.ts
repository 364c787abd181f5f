// The one way in which the engine tries something again by itself: as long as a server that is asked too often wants, and, for
// what may be sent twice, a few times more where an answer was lost.
import { ApiError, answerIsLost } from './api-error.ts';

/** How long is waited after each lost answer, in milliseconds; after the last one it is for a person to try again. */
export const AFTER_LOST: readonly number[] = [1000, 4000, 12_000];

/** Waits, in milliseconds, or until somebody ends it. */
export type Pause = (time: number, signal: AbortSignal) => Promise<void>;

export const pause: Pause = (time, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, time);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

interface Patience {
  signal: AbortSignal;
  /** How long is waited after each lost answer: nothing is tried again where it is left out. */
  afterLost?: readonly number[];
  pause?: Pause;
}

/** Does something, again and again where that can help. @throws what `work` throws at last */
export async function patiently<T>(
  work: () => Promise<T>,
  { signal, afterLost = [], pause: wait = pause }: Patience,
): Promise<T> {
  let lost = 0;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const time = waitAfter(error, afterLost[lost]);
      if (time === null || signal.aborted) throw error;
      if (!isTooOften(error)) lost += 1;
      await wait(time, signal);
    }
  }
}

/** No server can have the page wait for longer, in seconds. */
const LONGEST_WAIT = 600;

const isTooOften = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429;

/** In milliseconds; null where trying again helps nothing. */
function waitAfter(error: unknown, afterLost: number | undefined): number | null {
  if (isTooOften(error)) return Math.min(error.retryAfter ?? 10, LONGEST_WAIT) * 1000;
  // A proxy's word that something is too large is its answer.
  const isLost = answerIsLost(error) && !(error instanceof ApiError && error.status === 413);
  return isLost && afterLost !== undefined ? afterLost : null;
}
