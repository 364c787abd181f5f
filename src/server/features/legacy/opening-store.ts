// Opening a released scroll, by whichever way its reader came. Nothing burns; only the first opening is written down.
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { recordActivity } from '../../http/activity-store.ts';

const columns = [
  'encrypted_content',
  'wrapped_key',
  'envelope',
  'recipient_address',
  'seal_id',
  'created_at',
  'released_at',
] as const;

/** A condition: one that was left behind by a destroyed vault is there until its time is over, swept or not. */
export function stands(): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
  const houseTime = eb.selectFrom('house_clock').select('house_clock.house_time');
  return eb.or([eb('kept_until', 'is', null), eb('kept_until', '>', houseTime)]);
}

/**
 * One statement decides who was first; whoever comes later learns when that was, by `before`. The first opening is told
 * to the author, unless their vault is gone.
 * @param opens which scroll, and everything that must be true of it; the release is asked for here
 */
export async function openReleased(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  opens: Expression<SqlBool>,
  time: number,
) {
  const first = await transact(deps.db, async (tx) => {
    const opened = await tx
      .updateTable('legacy_scrolls')
      .set({ opened_at: time })
      .where(opens)
      .where('state', '=', 'released')
      .where('opened_at', 'is', null)
      .returning(['account_id', ...columns, sql<null>`null`.as('before')])
      .executeTakeFirst();
    if (opened?.account_id) await recordActivity(deps, tx, opened.account_id, { kind: 'scroll-opened' });
    return opened;
  });
  const row =
    first ??
    (await deps.db
      .selectFrom('legacy_scrolls')
      .select([...columns, 'opened_at as before'])
      .where(opens)
      .where('state', '=', 'released')
      .executeTakeFirst());
  return row?.released_at == null ? null : { ...row, released_at: row.released_at };
}
