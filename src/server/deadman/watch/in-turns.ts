// Deciding what is due without keeping anybody waiting: so much at a tick, one of each author before a second of any.
import type { Deps } from '../../deps.ts';

/** How many scrolls of a kind one tick decides at most, and for how long; the next tick comes at once where there are more. */
export const AT_ONCE = 250;
export const DECIDES_FOR = 700;

/** Milliseconds by a clock that nobody can set. */
export type Elapsed = () => number;
const noHurry: Elapsed = () => 0;

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
 * @param due in the order in which each author's have their turn
 * @param elapsed a slow machine decides fewer of them at a tick; unless told, time is no matter
 */
export async function decideInTurns<T extends { account_id: number | null }>(
  deps: Pick<Deps, 'log'>,
  due: readonly T[],
  decide: (scroll: T) => Promise<boolean>,
  elapsed: Elapsed = noHurry,
): Promise<Decided> {
  const until = elapsed() + DECIDES_FOR;
  let [decided, left] = [0, due.length];
  function* inTime() {
    for (const scroll of inTurns(due).slice(0, AT_ONCE)) {
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

/** The first of each author, then the second of each, and so on. */
function inTurns<T extends { account_id: number | null }>(due: readonly T[]): T[] {
  const before = new Map<number | null, number>();
  const turns = due.map((scroll) => {
    const turn = before.get(scroll.account_id) ?? 0;
    before.set(scroll.account_id, turn + 1);
    return { scroll, turn };
  });
  return turns.sort((one, other) => one.turn - other.turn).map(({ scroll }) => scroll);
}
