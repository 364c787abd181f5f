// Deciding what is due without keeping anybody waiting: so much at a tick, one of each author before a second of any.
import type { Deps } from '../../deps.ts';

/** How many scrolls one tick decides. It takes a second or two; the next tick comes at once where there are more. */
export const AT_ONCE = 250;

export interface Decided {
  /** How many scrolls were released. */
  released: number;
  /** Whether more are due than one tick decides. */
  hasMore: boolean;
}

/** Decides one scroll after the other; one that cannot be decided keeps no other waiting. Returns how many were released. */
export async function decideEach<T>(
  { log }: Pick<Deps, 'log'>,
  scrolls: readonly T[],
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

/** Decides the first of what is due, author by author. @param due in the order in which each author's have their turn */
export async function decideInTurns<T extends { account_id: number | null }>(
  deps: Pick<Deps, 'log'>,
  due: readonly T[],
  decide: (scroll: T) => Promise<boolean>,
): Promise<Decided> {
  let decided = 0;
  const released = await decideEach(deps, inTurns(due).slice(0, AT_ONCE), async (scroll) => {
    const isReleased = await decide(scroll);
    decided += 1;
    return isReleased;
  });
  // Where all of them fail, the next tick comes when it would come anyway.
  return { released, hasMore: due.length > AT_ONCE && decided > 0 };
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
