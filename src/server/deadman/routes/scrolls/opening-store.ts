// Opening a released scroll, by whichever way its reader came. Nothing burns; only the first opening is written down.
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { lockReference } from '../../../db/locks.ts';
import type { Schema } from '../../../db/schema.ts';
import { transact } from '../../../db/transact.ts';
import { ofVaultThatLeaves } from '../../../db/vault-state.ts';
import type { Deps } from '../../../deps.ts';
import { logActivity } from '../../../http/activity-store.ts';
import { cancelMessages } from '../../delivery/message-store.ts';

/** What is guessed at, wherever it is. A new passphrase is another secret: nothing that was tried at the old one counts. */
export const secretOf = (publicId: string, claimHash: string | null) => `scroll ${publicId} ${claimHash}`;

/**
 * A condition on a recipient: the scroll that a destroyed vault has left is there until its time is over; one that it has
 * not left is gone.
 */
export function stands(): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'scroll_recipients'>();
  return eb.exists(
    eb
      .selectFrom('legacy_scrolls')
      .select('legacy_scrolls.id')
      .whereRef('legacy_scrolls.id', '=', 'scroll_recipients.scroll_id')
      .where((q) =>
        q.or([
          q('legacy_scrolls.kept_until', 'is', null),
          q(
            'legacy_scrolls.kept_until',
            '>',
            q.selectFrom('instance_clock').select('instance_clock.counted_time'),
          ),
        ]),
      )
      .where(ofVaultThatLeaves('legacy_scrolls')),
  );
}

/**
 * One statement decides who was first; whoever comes later learns when that was, by `before`. The first opening is told
 * to the author, unless their vault is gone, and ends the reminders to this recipient.
 * @param opens which recipient, and everything that must be true of them; the release is asked for here
 */
export async function openReleased(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  opens: Expression<SqlBool>,
  time: number,
) {
  const isFirst = await transact(deps.db, async (tx) => {
    const opened = await tx
      .updateTable('scroll_recipients')
      .set({ opened_at: time, unopened_since: null })
      .where(opens)
      .where('released_at', 'is not', null)
      .where('opened_at', 'is', null)
      .returning(['id', 'account_id'])
      .executeTakeFirst();
    if (!opened) return false;
    await cancelMessages(tx, { recipientId: opened.id, kind: 'reminder' }, ['waiting', 'failed']);
    if (opened.account_id && (await lockReference(tx, opened.account_id))) {
      await logActivity(deps, tx, opened.account_id, { kind: 'scroll-opened' });
    }
    return true;
  });
  const row = await deps.db
    .selectFrom('scroll_recipients')
    .innerJoin('legacy_scrolls', 'legacy_scrolls.id', 'scroll_recipients.scroll_id')
    .select([
      'legacy_scrolls.encrypted_content',
      'legacy_scrolls.seal_id',
      'legacy_scrolls.created_at',
      'scroll_recipients.wrapped_key',
      'scroll_recipients.envelope',
      'scroll_recipients.recipient_address',
      'scroll_recipients.released_at',
      'scroll_recipients.opened_at',
    ])
    .where(opens)
    .where('scroll_recipients.released_at', 'is not', null)
    .executeTakeFirst();
  if (!row || row.released_at === null) return null;
  return { ...row, released_at: row.released_at, before: isFirst ? null : row.opened_at };
}
