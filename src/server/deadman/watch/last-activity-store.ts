// The last activity of each account. A transaction that changes or reads it to decide something locks its row first, so
// that a release and a sign of activity come one after the other.
import { type ExpressionBuilder, sql } from 'kysely';
import { lockScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import { countedNow } from '../clock/counted-time-store.ts';
import { stopAsks } from './kit-stop-store.ts';
import { endPostponement, speaksOfSilence } from './postponement-store.ts';

type Store = Pick<Deps, 'now' | 'rules'>;

/** Locks the row of an account's last activity until the transaction ends, and returns it. */
export function lockLastActivity(tx: Database, accountId: number) {
  return tx
    .updateTable('last_activity')
    .set({ counted_time: sql`counted_time` })
    .where('account_id', '=', accountId)
    .returning(['counted_time', 'seen_at', 'confirmations'])
    .executeTakeFirst();
}

/**
 * Records that somebody was there: the silence of all their scrolls begins anew, warnings that have not left yet never do, and
 * what guardians have asked for is stopped.
 * @param tx a transaction
 * @param by `person` for whoever is signed in; `press` for a link in a mail, which counts a few times in a row only
 * @returns how many confirmations in a row it rests on by now; null when a confirmation does not count any more
 */
export async function recordActivity(
  { now, rules }: Store,
  tx: Database,
  accountId: number,
  by: 'person' | 'press',
): Promise<number | null> {
  const time = now();
  const row = await tx
    .insertInto('last_activity')
    .values({
      account_id: accountId,
      counted_time: countedNow(rules),
      seen_at: time,
      confirmations: by === 'press' ? 1 : 0,
    })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({
          counted_time: sql<number>`case when last_activity.counted_time > excluded.counted_time
            then last_activity.counted_time else excluded.counted_time end`,
          seen_at: eb.ref('excluded.seen_at'),
          confirmations: by === 'press' ? eb('last_activity.confirmations', '+', 1) : 0,
        }))
        .where((eb) =>
          by === 'press' ? eb('last_activity.confirmations', '<', rules.confirmationsInARow) : eb.lit(true),
        ),
    )
    .returning('confirmations')
    .executeTakeFirst();
  if (!row) return null;
  await endPostponement(tx, accountId);
  const warned = (eb: ExpressionBuilder<Schema, 'legacy_scrolls'>) =>
    eb.and([
      eb('account_id', '=', accountId),
      eb.or([
        eb('warning_step', '>', 0),
        eb('warning_accepted', 'is not', null),
        eb('contact_told_at', 'is not', null),
      ]),
    ]);
  await lockScrolls(tx, warned);
  await tx
    .updateTable('legacy_scrolls')
    .set({ warning_step: 0, warning_accepted: null, contact_told_at: null })
    .where(warned)
    .execute();
  await stopAsks({ now, rules }, tx, accountId);
  await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('account_id', '=', accountId)
    .where(speaksOfSilence)
    .execute();
  return row.confirmations;
}
