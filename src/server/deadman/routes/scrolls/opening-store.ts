// Opening a released scroll, by whichever way its reader came. Nothing burns; only the first opening is written down.
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { lockReference } from '../../../db/locks.ts';
import type { Schema } from '../../../db/schema.ts';
import { transact } from '../../../db/transact.ts';
import { ofVaultThatLeaves } from '../../../db/vault-state.ts';
import type { Deps } from '../../../deps.ts';
import { logActivity } from '../../../http/activity-store.ts';

const columns = [
  'encrypted_content',
  'wrapped_key',
  'envelope',
  'recipient_address',
  'seal_id',
  'created_at',
  'released_at',
] as const;

/** A condition: one that a destroyed vault has left is there until its time is over; one that it has not left is gone. */
export function stands(): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
  const countedTime = eb.selectFrom('instance_clock').select('instance_clock.counted_time');
  return eb.and([
    eb.or([eb('kept_until', 'is', null), eb('kept_until', '>', countedTime)]),
    ofVaultThatLeaves('legacy_scrolls'),
  ]);
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
    const author = opened?.account_id;
    if (author && (await lockReference(tx, author))) {
      await logActivity(deps, tx, author, { kind: 'scroll-opened' });
    }
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
