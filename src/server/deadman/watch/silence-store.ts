// Scrolls that watch for silence: who is warned, and whose silence has lasted. Each decision is made anew in a
// transaction that holds the author's life, and its statement names the row that was looked at.
import { setImmediate } from 'node:timers/promises';
import { expressionBuilder, type SqlBool, sql } from 'kysely';
import { locksRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { type InstanceClock, mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import { lockLastActivity } from './last-activity-store.ts';
import { releaseScroll } from './release-store.ts';
import {
  isRipe,
  isSilent,
  lookAt,
  nextLook,
  nextWarning,
  type Silent,
  type SwitchStore,
  silenceColumns,
} from './silence.ts';
import { warn } from './warning-store.ts';

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

/** How many scrolls are read at a time; others have their turn between them. */
const SLICE = 50;

/** Where a slice ends. */
interface Place {
  next_check_at: number;
  id: number;
}

/** Scrolls whose next warning or deadline had come when they were last looked at. @param behind the last that was read */
async function scrollsToLookAt({ db }: SwitchStore, { counted_time }: InstanceClock, behind: Place) {
  const rows = await db
    .selectFrom('legacy_scrolls as scroll')
    .innerJoin('last_activity', 'last_activity.account_id', 'scroll.account_id')
    .select(silenceColumns.map((column) => `scroll.${column}` as const))
    .select(['scroll.next_check_at', 'last_activity.counted_time as lastActivity'])
    .where('scroll.state', '=', 'watching')
    .where('scroll.trigger_type', '=', 'inactivity')
    .where('scroll.next_check_at', '<=', counted_time)
    .where(sql<SqlBool>`(scroll.next_check_at, scroll.id) > (${behind.next_check_at}, ${behind.id})`)
    .orderBy('scroll.next_check_at')
    .orderBy('scroll.id')
    .limit(SLICE)
    .execute();
  const silent = rows.flatMap(({ lastActivity, next_check_at: _, ...row }) =>
    isSilent(row) ? [{ scroll: row, lastActivity }] : [],
  );
  return { silent, last: rows.length === SLICE ? rows.at(-1) : undefined };
}

/**
 * Warns and releases what is due at this tick. Returns how many were released.
 * @param mayRelease false while a server that has just started does not know how long it was away
 */
export async function endSilences(
  deps: SwitchStore,
  clock: InstanceClock,
  mayRelease = true,
): Promise<number> {
  let released = 0;
  for (let behind: Place | undefined = { next_check_at: -1, id: 0 }; behind !== undefined; ) {
    const { silent, last } = await scrollsToLookAt(deps, clock, behind);
    const [due, later]: [Looked[], Later[]] = [[], []];
    for (const one of silent) {
      const next = laterLook(one, clock, deps.rules);
      if (next === null) due.push(one);
      else later.push({ scroll: one.scroll, next });
    }
    await lookAtAllLater(deps, later);
    released += await decideEach(deps, due, async ({ scroll, lastActivity }) => {
      if (isRipe(scroll, lastActivity, clock, deps.rules)) return mayRelease && releaseRipe(deps, scroll);
      if (nextWarning(scroll, lastActivity, clock.counted_time, deps.rules) !== null)
        await warn(deps, scroll);
      return false;
    });
    behind = last;
    if (behind !== undefined) await setImmediate();
  }
  return released;
}

interface Looked {
  scroll: Silent;
  lastActivity: number;
}

interface Later {
  scroll: Silent;
  next: number;
}

/** When to look at a scroll again of which nothing is due now; null for one to be decided, or past its deadline. */
function laterLook(
  { scroll, lastActivity }: Looked,
  clock: InstanceClock,
  rules: Deps['rules'],
): number | null {
  const first = lookAt(scroll, lastActivity, rules);
  if (first > clock.counted_time) return first;
  if (isRipe(scroll, lastActivity, clock, rules)) return null;
  if (nextWarning(scroll, lastActivity, clock.counted_time, rules) !== null) return null;
  return nextLook(scroll, lastActivity, clock.counted_time, rules);
}

/** The embedded database commits them together; PostgreSQL's connections are for others as well. */
async function lookAtAllLater(deps: SwitchStore, all: readonly Later[]): Promise<void> {
  const look = (some: readonly Later[]) =>
    decideEach(deps, some, ({ scroll, next }) => lookLater(deps, scroll, next));
  if (locksRows(deps.db)) await look(all);
  else await Promise.all(all.map((one) => look([one])));
}

/** Nothing is due of it yet: its author has lived since, or was warned. A life only grows, so that this is never too late. */
async function lookLater({ db }: SwitchStore, scroll: Silent, next_check_at: number): Promise<false> {
  await db
    .updateTable('legacy_scrolls')
    .set({ next_check_at })
    .where('id', '=', scroll.id)
    .where('state', '=', 'watching')
    .where(stillWatches(scroll))
    // Activated anew within one tick, for a shorter time or with warnings, it begins with the same counted time.
    .where('period', '=', scroll.period)
    .where('warning', '=', scroll.warning)
    .execute();
  return false;
}

/** Holds the author's life and reads the scroll once more: what was decided without it may be wrong by now. */
async function lockScroll(tx: Database, { id, account_id }: Silent) {
  const lastActivity = await lockLastActivity(tx, account_id);
  const row = await tx
    .selectFrom('legacy_scrolls')
    .select(silenceColumns)
    .where('id', '=', id)
    .where('state', '=', 'watching')
    .executeTakeFirst();
  return lastActivity && isSilent(row) ? { scroll: row, lastActivity: lastActivity.counted_time } : null;
}

const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
/** It still watches as it did when it was read: not disarmed and activated anew meanwhile. */
const stillWatches = ({ watching_since }: Silent) => eb('watching_since', '=', watching_since);

function releaseRipe(deps: SwitchStore, candidate: Silent): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    const held = await lockScroll(tx, candidate);
    const clock = await readInstanceClock(tx);
    if (!held || !mayAct(clock)) return false;
    if (!isRipe(held.scroll, held.lastActivity, clock, deps.rules)) return false;
    return releaseScroll(deps, tx, held.scroll.id, stillWatches(held.scroll));
  });
}
