// Scrolls that wait for a day. The calendar says when it begins. A day that began in the dark, while the house slept or
// because its clock was set, is only believed after the house has lived through another one; so is a day that begins
// soon after, by the same calendar.
import { expressionBuilder } from 'kysely';
import { holdScrolls } from '../../db/locks.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import { type HouseClock, readHouseClock } from '../clock/counted-time-store.ts';
import { holdLife } from './last-activity-store.ts';
import { releaseScroll } from './release-store.ts';
import { decideEach, type SwitchStore } from './silence-store.ts';

const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
const waits = eb.and([eb('state', '=', 'watching'), eb('trigger_type', '=', 'date')]);

/** Releases what is due at this beat. Returns how many were. */
export async function endWaits(deps: SwitchStore, clock: HouseClock): Promise<number> {
  const { db } = deps;
  const { house_time, beaten_at, doubted_until } = clock;
  // A calendar that was set back takes its word back.
  const setBack = eb.and([waits, eb('due_at', '>', beaten_at), eb('date_ripe', '>=', 0)]);
  const begun = eb.and([waits, eb('due_at', '<=', beaten_at), eb('date_ripe', 'is', null)]);
  await transact(db, async (tx) => {
    await holdScrolls(tx, () => eb.or([setBack, begun]));
    const ripe = Math.max(house_time, doubted_until);
    await tx.updateTable('legacy_scrolls').set({ date_ripe: null }).where(setBack).execute();
    await tx.updateTable('legacy_scrolls').set({ date_ripe: ripe }).where(begun).execute();
  });
  const ripe = eb.and([waits, eb('due_at', '<=', beaten_at), eb('date_ripe', '<=', house_time)]);
  const due = await db
    .selectFrom('legacy_scrolls')
    .select(['id', 'account_id'])
    .where(ripe)
    .orderBy('id')
    .execute();
  return decideEach(deps, due, ({ id, account_id }) =>
    transact(db, async (tx) => {
      if (account_id !== null) await holdLife(tx, account_id);
      const { paused_reason } = await readHouseClock(tx);
      return paused_reason === null && (await releaseScroll(deps, tx, id, ripe));
    }),
  );
}
