// Scrolls that watch for silence: who is warned, and whose silence has lasted. Each decision is made anew in a
// transaction that holds the author's life, and its statement names the row that was looked at.
import { expressionBuilder, type SqlBool, sql } from 'kysely';
import { compiled } from '../../db/compiled.ts';
import { locksRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { type InstanceClock, mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import { tellContact } from './contact-store.ts';
import { type Decided, decideEach, decideInTurns, type Elapsed, SLICE } from './in-turns.ts';
import { lockLastActivity } from './last-activity-store.ts';
import { postponedUntil } from './postponement-store.ts';
import { releaseScroll } from './release-store.ts';
import {
  firstCheckAt,
  isContactDue,
  isReleasable,
  isSilent,
  nextCheckAt,
  nextWarning,
  type Silent,
  type SwitchStore,
  silenceColumns,
} from './silence.ts';
import { warn } from './warning-store.ts';

/** Where a slice ends. */
interface Place {
  next_check_at: number;
  id: number;
}

const readToLookAt = compiled<{ countedTime: number; nextCheckAt: number; id: number }>()((db, value) =>
  db
    .selectFrom('legacy_scrolls as scroll')
    .innerJoin('last_activity', 'last_activity.account_id', 'scroll.account_id')
    .select(silenceColumns.map((column) => `scroll.${column}` as const))
    .select(['scroll.next_check_at', 'last_activity.counted_time as lastActivity'])
    .select(postponedUntil('scroll').as('postponed_until'))
    .where('scroll.state', '=', sql.lit('watching'))
    .where('scroll.trigger_type', '=', 'inactivity')
    .where('scroll.next_check_at', '<=', value('countedTime'))
    .where(sql<SqlBool>`(scroll.next_check_at, scroll.id) > (${value('nextCheckAt')}, ${value('id')})`)
    .orderBy('scroll.next_check_at')
    .orderBy('scroll.id')
    .limit(SLICE),
);

/** What is due, some at a time. Of the others it is written down when to look at them again. */
async function* findDue(deps: SwitchStore, clock: InstanceClock): AsyncGenerator<Due[]> {
  const { db, rules } = deps;
  const { counted_time } = clock;
  let behind: Place | undefined = { next_check_at: -1, id: 0 };
  while (behind !== undefined) {
    const place = { nextCheckAt: behind.next_check_at, id: behind.id };
    const rows: Awaited<ReturnType<typeof readToLookAt>> = await readToLookAt(db, {
      countedTime: counted_time,
      ...place,
    });
    const due: Due[] = [];
    const later: Later[] = [];
    for (const { lastActivity, next_check_at: _, ...scroll } of rows) {
      if (!isSilent(scroll)) continue;
      const releasable = isReleasable(scroll, lastActivity, clock, rules);
      const isToWarn = nextWarning(scroll, lastActivity, counted_time, rules) !== null;
      const isToTell = isContactDue(scroll, lastActivity, counted_time, rules);
      if (releasable || isToWarn || isToTell)
        due.push({ ...scroll, isReleasable: releasable, isToWarn, isToTell });
      else later.push(...postponedTo({ scroll, lastActivity }, clock, rules));
    }
    await postponeAll(deps, later);
    yield due;
    behind = rows.length === SLICE ? rows.at(-1) : undefined;
  }
}

/** Warns and releases what is due at this tick, or as much of it as one tick decides. */
export function endSilences(deps: SwitchStore, clock: InstanceClock, elapsed?: Elapsed): Promise<Decided> {
  const decide = async (scroll: Due) => {
    if (scroll.isReleasable) return releaseSilent(deps, scroll);
    if (scroll.isToWarn) await warn(deps, scroll);
    if (scroll.isToTell) await tellContact(deps, scroll);
    return false;
  };
  return decideInTurns(deps, findDue(deps, clock), decide, elapsed);
}

interface Looked {
  scroll: Silent;
  lastActivity: number;
}

interface Due extends Silent {
  isReleasable: boolean;
  isToWarn: boolean;
  /** Whether its author's trusted contact is. */
  isToTell: boolean;
}

interface Later {
  scroll: Silent;
  next: number;
}

/**
 * When to look again at a scroll that is not due; nothing for one past its deadline, which each tick looks at. What a
 * contact has postponed may end meanwhile with a sign of life: nothing is due within half of a period after that.
 */
function postponedTo({ scroll, lastActivity }: Looked, clock: InstanceClock, rules: Deps['rules']): Later[] {
  const { counted_time } = clock;
  const first = firstCheckAt(scroll, lastActivity, rules);
  const next = first > counted_time ? first : nextCheckAt(scroll, lastActivity, counted_time, rules);
  if (next === null) return [];
  const isPostponed = (scroll.postponed_until ?? 0) > counted_time;
  return [{ scroll, next: isPostponed ? Math.min(next, counted_time + scroll.period / 2) : next }];
}

/** The embedded database commits them together; PostgreSQL's connections are for others as well. */
async function postponeAll(deps: SwitchStore, all: readonly Later[]): Promise<void> {
  const look = (some: readonly Later[]) => decideEach(deps, some, (one) => postponeCheck(deps, one));
  if (locksRows(deps.db)) await look(all);
  else await Promise.all(all.map((one) => look([one])));
}

const writeNextCheck = compiled<{
  id: number;
  next: number;
  watchingSince: number;
  period: number;
  warning: Silent['warning'];
}>()((db, value) =>
  db
    .updateTable('legacy_scrolls')
    .set({ next_check_at: value('next') })
    .where('id', '=', value('id'))
    .where('state', '=', sql.lit('watching'))
    .where('watching_since', '=', value('watchingSince'))
    // Activated anew within one tick, for a shorter time or with warnings, it begins with the same counted time.
    .where('period', '=', value('period'))
    .where('warning', '=', value('warning')),
);

/** Nothing is due of it yet: its author has lived since, or was warned. A life only grows, so that this is never too late. */
async function postponeCheck({ db }: SwitchStore, { scroll, next }: Later): Promise<false> {
  const { id, watching_since: watchingSince, period, warning } = scroll;
  await writeNextCheck(db, { id, next, watchingSince, period, warning });
  return false;
}

/** Holds the author's life and reads the scroll once more: what was decided without it may be wrong by now. */
async function lockScroll(tx: Database, { id, account_id }: Silent) {
  const lastActivity = await lockLastActivity(tx, account_id);
  const row = await tx
    .selectFrom('legacy_scrolls')
    .select(silenceColumns)
    .select(postponedUntil('legacy_scrolls').as('postponed_until'))
    .where('id', '=', id)
    .where('state', '=', sql.lit('watching'))
    .executeTakeFirst();
  return lastActivity && isSilent(row) ? { scroll: row, lastActivity: lastActivity.counted_time } : null;
}

const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
/** It still watches as it did when it was read: not disarmed and activated anew meanwhile. */
const stillWatches = ({ watching_since }: Silent) => eb('watching_since', '=', watching_since);

function releaseSilent(deps: SwitchStore, candidate: Silent): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    const held = await lockScroll(tx, candidate);
    const clock = await readInstanceClock(tx);
    if (!held || !mayAct(clock)) return false;
    if (!isReleasable(held.scroll, held.lastActivity, clock, deps.rules)) return false;
    return releaseScroll(deps, tx, held.scroll.id, stillWatches(held.scroll));
  });
}
