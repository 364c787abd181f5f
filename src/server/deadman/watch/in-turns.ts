// Deciding what is due without keeping anybody waiting: so much at a tick, one of each author before a second of any.
import { setImmediate } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';

/** How many scrolls of a kind one tick decides at most, and for how long; the next tick comes at once where there are more. */
export const AT_ONCE = 250;
export const DECIDES_FOR = 700;

/** How many scrolls are read at a time; others have their turn between them. */
export const SLICE = 100;

/** Milliseconds by a clock that nobody can set. */
export type Elapsed = () => number;
const noHurry: Elapsed = () => 0;

interface Scroll {
  account_id: number | null;
}

export interface Decided {
  /** How many scrolls were released. */
  released: number;
  /** Whether more are due than one tick decides. */
  hasMore: boolean;
}

/** Decides one scroll after the other; one that cannot be decided keeps no other waiting. Returns how many were released. */
export async function decideEach<T>(
  { log }: Pick<Deps, 'log'>,
  scrolls: Iterable<T>,
  decide: (scroll: T) => Promise<boolean>,
): Promise<number> {
  let released = 0;
  for (const scroll of scrolls) {
    try {
      if (await decide(scroll)) released += 1;
    } catch (error) {
      log.error({ err: error }, 'a legacy scroll could not be decided');
    }
  }
  return released;
}

/**
 * Decides the first of what is due, author by author.
 * @param slices what is due, some at a time, in the order in which each author's have their turn; others have theirs between
 * @param elapsed a slow machine decides fewer of them at a tick; unless told, time is no matter
 */
export async function decideInTurns<T extends Scroll>(
  deps: Pick<Deps, 'log'>,
  slices: AsyncIterable<readonly T[]>,
  decide: (scroll: T) => Promise<boolean>,
  elapsed: Elapsed = noHurry,
): Promise<Decided> {
  const { first, due } = await firstInTurns(slices);
  const until = elapsed() + DECIDES_FOR;
  let [decided, left] = [0, due];
  function* inTime() {
    for (const scroll of first) {
      if (decided > 0 && elapsed() >= until) return;
      left -= 1;
      yield scroll;
    }
  }
  const released = await decideEach(deps, inTime(), async (scroll) => {
    const isReleased = await decide(scroll);
    decided += 1;
    return isReleased;
  });
  // Where all of them fail, the next tick comes when it would come anyway.
  return { released, hasMore: left > 0 && decided > 0 };
}

/**
 * The first of each author, then the second of each, and so on, as many as one tick decides. No more are kept meanwhile than
 * twice as many, and nothing is sorted: among some ten thousand that would keep every answer waiting.
 */
async function firstInTurns<T extends Scroll>(slices: AsyncIterable<readonly T[]>) {
  const before = new Map<number | null, number>();
  const rounds: T[][] = [];
  let [kept, due] = [0, 0];
  for await (const slice of slices) {
    for (const scroll of slice) {
      const turn = before.get(scroll.account_id) ?? 0;
      before.set(scroll.account_id, turn + 1);
      due += 1;
      if (kept >= AT_ONCE && turn >= rounds.length - 1) continue;
      rounds[turn] ??= [];
      rounds[turn].push(scroll);
      kept += 1;
      const last = rounds.at(-1)?.length ?? 0;
      if (kept - last >= AT_ONCE) kept -= rounds.pop()?.length ?? 0;
    }
    await setImmediate();
  }
  return { first: rounds.flat().slice(0, AT_ONCE), due };
}
