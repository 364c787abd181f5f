// Scrolls that wait for a day. The calendar says when it begins. A day that began in the dark, while the server slept or
// because its clock was set, is only believed after the server has lived through another one; so is a day that begins
// soon after, by the same calendar.
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { compiled } from '../../db/compiled.ts';
import { lockScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import { mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import type { Ticked } from '../clock/monitor.ts';
import { type Decided, decideInTurns, type Elapsed, SLICE } from './in-turns.ts';
import { lockLastActivity } from './last-activity-store.ts';
import { releaseScroll } from './release-store.ts';
import type { SwitchStore } from './silence.ts';

const eb = expressionBuilder<Schema, 'legacy_scrolls'>();

/** The last scroll of a slice. */
interface Place {
  releasable_at: number;
  due_at: number;
  id: number;
}

type Time = number | Expression<number>;
const waits = eb.and([eb('state', '=', sql.lit('watching')), eb('trigger_type', '=', 'date')]);

const isDue = (today: Time, countedTime: Time) =>
  eb.and([waits, eb('due_at', '<=', today), eb('releasable_at', '<=', countedTime)]);

/** A calendar that was set back takes its word back. */
const isSetBack = (today: Time) => eb.and([waits, eb('due_at', '>', today), eb('releasable_at', '>=', 0)]);

/** @param later what is releasable only after this moment is so sooner */
const hasBegun = (today: Time, later: Time) =>
  eb.and([
    waits,
    eb('due_at', '<=', today),
    eb.or([eb('releasable_at', 'is', null), eb('releasable_at', '>', later)]),
  ]);

const takeBack = compiled<{ today: number }>()((db, value) =>
  db
    .updateTable('legacy_scrolls')
    .set({ releasable_at: null })
    .where(isSetBack(value('today'))),
);
const begin = compiled<{ today: number; releasableAt: number; later: number }>()((db, value) =>
  db
    .updateTable('legacy_scrolls')
    .set({ releasable_at: value('releasableAt') })
    .where(hasBegun(value('today'), value('later'))),
);
const readDue = compiled<{ today: number; countedTime: number } & Place>()((db, value) =>
  db
    .selectFrom('legacy_scrolls')
    .select(['id', 'account_id', 'releasable_at', 'due_at'])
    .where(isDue(value('today'), value('countedTime')))
    .where(
      sql<SqlBool>`(releasable_at, due_at, id) > (${value('releasable_at')}, ${value('due_at')}, ${value('id')})`,
    )
    .orderBy('releasable_at')
    .orderBy('due_at')
    .orderBy('id')
    .limit(SLICE),
);

/** What is due, some at a time. */
async function* findDue(db: Database, at: { today: number; countedTime: number }) {
  let behind: Place | undefined = { releasable_at: -1, due_at: -1, id: 0 };
  while (behind !== undefined) {
    const rows: Awaited<ReturnType<typeof readDue>> = await readDue(db, { ...at, ...behind });
    yield rows;
    const last = rows.length === SLICE ? rows.at(-1) : undefined;
    behind = last && { releasable_at: Number(last.releasable_at), due_at: Number(last.due_at), id: last.id };
  }
}

/**
 * Releases what is due at this tick, or as much of it as one tick decides.
 * A day that has begun by a calendar that is not proved, as one that is set by hours again and again, waits for a day more.
 */
export async function endWaits(
  deps: SwitchStore,
  { clock, isProved, mayBeAheadBy }: Ticked,
  elapsed?: Elapsed,
): Promise<Decided> {
  const { db, rules } = deps;
  const { counted_time, doubted_until, may_add } = clock;
  // As if nobody had set it forward.
  const today = clock.ticked_at - clock.set_forward_by - mayBeAheadBy;
  const unproved = counted_time + may_add + rules.holdAfterDarkDate;
  const ripeAt = Math.max(counted_time, doubted_until, isProved ? 0 : unproved);
  // What a calendar that is not proved says puts nothing forward.
  const later = isProved ? ripeAt : Number.MAX_SAFE_INTEGER;
  await transact(db, async (tx) => {
    await lockScrolls(tx, () => eb.or([isSetBack(today), hasBegun(today, later)]));
    await takeBack(tx, { today });
    await begin(tx, { today, releasableAt: ripeAt, later });
  });
  const release = ({ id, account_id }: { id: number; account_id: number | null }) =>
    transact(db, async (tx) => {
      if (account_id !== null) await lockLastActivity(tx, account_id);
      return (
        mayAct(await readInstanceClock(tx)) && (await releaseScroll(deps, tx, id, isDue(today, counted_time)))
      );
    });
  const due = findDue(db, { today, countedTime: counted_time });
  return decideInTurns(deps, due, release, elapsed);
}
