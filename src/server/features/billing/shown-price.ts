// The price that pages show. Nobody waits long for it: while the provider is silent they see the last one, or none. With
// one to show, the provider is asked again a minute after a failure. What somebody pays is compared anew (begin.ts).
import { setTimeout } from 'node:timers/promises';
import { MINUTE, SECOND } from '../../../shared/time.ts';
import { type Payments, PaymentsError, type Price } from '../../adapters/payments.ts';
import type { Deps } from '../../deps.ts';

/** How long a failure is remembered. */
const FAILURE_LASTS = MINUTE;
/** How long a page waits for an answer while it has a price to show, and while it has none. The question goes on. */
const WAITS = 2 * SECOND;
const WAITS_FOR_THE_FIRST = 10 * SECOND;

/**
 * @param waited resolves when a page waits no longer
 * @returns what reads the price; null where it is not known
 */
export function createShownPrice(
  { payments, now, log }: Pick<Deps, 'now' | 'log'> & { payments: Pick<Payments, 'readPrice'> },
  waited: (isFirst: boolean) => Promise<unknown> = (isFirst) =>
    setTimeout(isFirst ? WAITS_FOR_THE_FIRST : WAITS, null, { ref: false }),
): () => Promise<Price | null> {
  let last: Price | null = null;
  let failedAt: number | null = null;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    try {
      last = await payments.readPrice();
      failedAt = null;
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      failedAt = now();
      // One that the provider refuses is nobody's price any more.
      if (error.reason !== 'away') last = null;
      log.warn({ reason: error.reason, code: error.code }, 'the price could not be read');
    }
  }

  return async () => {
    // With nothing to show, somebody presses "Ask again".
    if (last && failedAt !== null && now() - failedAt < FAILURE_LASTS) return last;
    // The first who finds it old waits for the answer; the others do where there is nothing else to show.
    if (asking && last) return last;
    asking ??= ask().finally(() => {
      asking = null;
    });
    // It may end when nobody waits any more.
    asking.catch(() => {});
    await Promise.race([asking, waited(last === null)]);
    return last;
  };
}
