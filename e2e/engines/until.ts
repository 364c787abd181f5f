// Waiting for something to be so, by looking again and again.
import { setTimeout as pause } from 'node:timers/promises';

/** In milliseconds. Generous: no test measures time, and on a busy machine a passphrase takes many seconds to stretch. */
const PATIENCE = 90_000;
const INTERVAL = 40;

/**
 * Looks until what is seen will do, and answers it. A look that throws counts as one that does not do: a page that is just
 * being replaced cannot be asked.
 * @throws an error that says what was waited for, and what the last look gave
 */
export async function until<Seen>(
  what: string,
  look: () => Promise<Seen>,
  willDo: (seen: Seen) => boolean,
): Promise<Seen> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    let last: unknown;
    try {
      const seen = await look();
      if (willDo(seen)) return seen;
      last = seen;
    } catch (error) {
      last = error instanceof Error ? error.message : error;
    }
    if (performance.now() > end)
      throw new Error(`${what}: not so. At last: ${JSON.stringify(last)?.slice(0, 2000)}`);
    await pause(INTERVAL);
  }
}
