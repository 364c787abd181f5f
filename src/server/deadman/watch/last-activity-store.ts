// Proof of life in the database. Whoever changes or reads a life to decide something holds its row first, so that a
// release and a sign of life come one after the other.
import { type ExpressionBuilder, sql } from 'kysely';
import { holdScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';

type Store = Pick<Deps, 'now' | 'rules'>;

/** Holds the row of an account's life until the transaction ends, and returns it. */
export function holdLife(tx: Database, accountId: number) {
  return tx
    .updateTable('lives')
    .set({ house_time: sql`house_time` })
    .where('account_id', '=', accountId)
    .returning(['house_time', 'seen_at', 'presses'])
    .executeTakeFirst();
}

/**
 * Somebody lives: the silence of all their scrolls begins anew, and warnings that have not left yet never do.
 * @param tx a transaction
 * @param by `person` for whoever is signed in; `press` for a link in a mail, which counts a few times in a row only
 * @returns how many presses in a row this life rests on by now; null when a press does not count any more
 */
export async function proveLife(
  { now, rules }: Store,
  tx: Database,
  accountId: number,
  by: 'person' | 'press',
): Promise<number | null> {
  const time = now();
  const row = await tx
    .insertInto('lives')
    .values((eb) => ({
      account_id: accountId,
      // House time is behind the moment by up to what the next beat counts; nobody shall lose it.
      house_time: eb
        .selectFrom('house_clock')
        .select((q) => q('house_time', '+', rules.beat * rules.beatCounts).as('house_time')),
      seen_at: time,
      presses: by === 'press' ? 1 : 0,
    }))
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({
          house_time: sql<number>`case when lives.house_time > excluded.house_time
            then lives.house_time else excluded.house_time end`,
          seen_at: eb.ref('excluded.seen_at'),
          presses: by === 'press' ? eb('lives.presses', '+', 1) : 0,
        }))
        .where((eb) => (by === 'press' ? eb('lives.presses', '<', rules.pressesInARow) : eb.lit(true))),
    )
    .returning('presses')
    .executeTakeFirst();
  if (!row) return null;
  const warned = (eb: ExpressionBuilder<Schema, 'legacy_scrolls'>) =>
    eb.and([
      eb('account_id', '=', accountId),
      eb.or([eb('warned_rung', '>', 0), eb('warning_accepted', 'is not', null)]),
    ]);
  await holdScrolls(tx, warned);
  await tx
    .updateTable('legacy_scrolls')
    .set({ warned_rung: 0, warning_accepted: null })
    .where(warned)
    .execute();
  await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'warning')
    .where('state', '=', 'waiting')
    .execute();
  return row.presses;
}
