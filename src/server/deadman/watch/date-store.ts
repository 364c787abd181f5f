// Scrolls that wait for a day. The calendar says when it begins. A day that began in the dark, while the server slept or
// because its clock was set, is only believed after the server has lived through another one; so is a day that begins
// soon after, by the same calendar.
import { expressionBuilder } from 'kysely';
import { lockScrolls } from '../../db/locks.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import { type InstanceClock, mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import { lockLastActivity } from './last-activity-store.ts';
import { releaseScroll } from './release-store.ts';
import type { SwitchStore } from './silence.ts';
import { decideEach } from './silence-store.ts';

const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
const waits = eb.and([eb('state', '=', 'watching'), eb('trigger_type', '=', 'date')]);

/** Releases what is due at this tick. Returns how many were. */
export async function endWaits(deps: SwitchStore, clock: InstanceClock): Promise<number> {
  const { db } = deps;
  const { counted_time, ticked_at, doubted_until } = clock;
  // A calendar that was set back takes its word back.
  const setBack = eb.and([waits, eb('due_at', '>', ticked_at), eb('releasable_at', '>=', 0)]);
  const begun = eb.and([waits, eb('due_at', '<=', ticked_at), eb('releasable_at', 'is', null)]);
  await transact(db, async (tx) => {
    await lockScrolls(tx, () => eb.or([setBack, begun]));
    const ripe = Math.max(counted_time, doubted_until);
    await tx.updateTable('legacy_scrolls').set({ releasable_at: null }).where(setBack).execute();
    await tx.updateTable('legacy_scrolls').set({ releasable_at: ripe }).where(begun).execute();
  });
  const ripe = eb.and([waits, eb('due_at', '<=', ticked_at), eb('releasable_at', '<=', counted_time)]);
  const due = await db
    .selectFrom('legacy_scrolls')
    .select(['id', 'account_id'])
    .where(ripe)
    .orderBy('id')
    .execute();
  return decideEach(deps, due, ({ id, account_id }) =>
    transact(db, async (tx) => {
      if (account_id !== null) await lockLastActivity(tx, account_id);
      return mayAct(await readInstanceClock(tx)) && (await releaseScroll(deps, tx, id, ripe));
    }),
  );
}
