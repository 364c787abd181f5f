// Scrolls that wait for a day. The calendar says when it begins. A day that began in the dark, while the server slept or
// because its clock was set, is only believed after the server has lived through another one; so is a day that begins
// soon after, by the same calendar.
import { type Expression, expressionBuilder, sql } from 'kysely';
import { compiled } from '../../db/compiled.ts';
import { lockScrolls } from '../../db/locks.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import { mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import type { Ticked } from '../clock/monitor.ts';
import { type Decided, decideInTurns, type Elapsed } from './in-turns.ts';
import { lockLastActivity } from './last-activity-store.ts';
import { releaseScroll } from './release-store.ts';
import type { SwitchStore } from './silence.ts';

const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
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
const readDue = compiled<{ today: number; countedTime: number }>()((db, value) =>
  db
    .selectFrom('legacy_scrolls')
    .select(['id', 'account_id'])
    .where(isDue(value('today'), value('countedTime')))
    .orderBy('id'),
);

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
  const due = await readDue(db, { today, countedTime: counted_time });
  const release = ({ id, account_id }: (typeof due)[number]) =>
    transact(db, async (tx) => {
      if (account_id !== null) await lockLastActivity(tx, account_id);
      return (
        mayAct(await readInstanceClock(tx)) && (await releaseScroll(deps, tx, id, isDue(today, counted_time)))
      );
    });
  return decideInTurns(deps, due, release, elapsed);
}
