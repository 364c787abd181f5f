// Bringing many entries into the vault one after the other, a few at once, as fast as the server lets them in.
import { patiently } from '../api/patiently.ts';

/** How many are on their way at once. */
const AT_ONCE = 4;

/**
 * Not everything could be brought in. What was stays, so that the same import goes on with the rest. Its cause is
 * undefined where a person has ended it.
 */
export class BringingStopped extends Error {
  /** How many were kept before that. */
  readonly kept: number;
  constructor(kept: number, cause: unknown) {
    super('an import stopped', { cause });
    this.kept = kept;
  }
}

/** One entry that is to be brought. */
export interface Bringing {
  /** Seals it and sends it. Resolves to whether it was kept; if not, it was here already. */
  bring(): Promise<boolean>;
}

/**
 * Brings them in their order.
 * @param options `tell` learns how many have been dealt with so far; `signal` lets no further one begin
 * @returns how many were kept; the others were here already after all
 * @throws BringingStopped at the first that cannot be kept
 */
export async function bringEach(
  works: readonly Bringing[],
  { tell, signal }: { tell: (done: number) => void; signal: AbortSignal },
): Promise<number> {
  let next = 0;
  let done = 0;
  let kept = 0;
  const problems: unknown[] = [];
  const lane = async () => {
    while (next < works.length && problems.length === 0 && !signal.aborted) {
      const work = works[next++];
      if (!work) return;
      try {
        if (await patiently(() => work.bring(), { signal })) kept += 1;
      } catch (error) {
        problems.push(error);
        return;
      }
      tell(++done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  // Only now: what was on its way has arrived, and is counted.
  // What a person has ended fails with that.
  if (problems.length > 0) throw new BringingStopped(kept, signal.aborted ? undefined : problems[0]);
  if (signal.aborted && next < works.length) throw new BringingStopped(kept, undefined);
  return kept;
}
