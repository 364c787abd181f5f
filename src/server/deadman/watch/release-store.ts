// The release: one statement decides it, and the message to the recipient is written in the same transaction.
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { ofStandingVault } from '../../db/vault-state.ts';
import type { Deps } from '../../deps.ts';
import { readInstanceClock } from '../clock/counted-time-store.ts';
import { cancelMessages, type NewMessage, writeMessage } from '../delivery/message-store.ts';
import { placeWhisper } from '../delivery/whisper-room-store.ts';

type Store = Pick<Deps, 'now' | 'digests'>;

const BYTES = 16;

/** The same for the same scroll, also in a database that was restored and releases it once more. */
function releaseId({ digests }: Pick<Store, 'digests'>, publicId: string): string {
  return Buffer.from(digests.keyed('release', publicId), 'hex').subarray(0, BYTES).toString('base64url');
}

const always: Expression<SqlBool> = expressionBuilder<Schema>().lit(true);

/**
 * Releases a watching scroll, unless its vault was destroyed.
 * @param tx a transaction that holds the life of the scroll's author
 * @param guard what must still be true of the row
 * @param leftBy the destroyed vault that leaves it to its recipient: the row does not name it any more
 * @returns false when it does not watch any more, or the guard fails: then nothing has happened
 */
export async function releaseScroll(
  deps: Store,
  tx: Database,
  id: number,
  guard: Expression<SqlBool> = always,
  leftBy: number | null = null,
): Promise<boolean> {
  const time = deps.now();
  const scroll = await tx
    .updateTable('legacy_scrolls')
    .set({ state: 'released', released_at: time })
    .where('id', '=', id)
    .where('state', '=', 'watching')
    .where(guard)
    .where(ofStandingVault('legacy_scrolls'))
    .returning([
      'public_id',
      'account_id',
      'recipient_type',
      'recipient_address',
      'recipient_account_id',
      'watching_since',
    ])
    .executeTakeFirst();
  if (!scroll) return false;
  // Before the recipient's account is referred to, and before messages: the order of db/locks.ts.
  await tx
    .updateTable('instance_clock')
    .set((eb) => ({ releases: eb('releases', '+', 1) }))
    .execute();
  const message = releaseId(deps, scroll.public_id);
  let place: Partial<NewMessage> = {};
  if (scroll.recipient_type === 'whisper') {
    const recipientId =
      scroll.recipient_account_id ?? (await findRecipient(tx, id, scroll.recipient_address));
    const accountId = scroll.account_id ?? leftBy;
    place = await placeWhisper(tx, deps, { message, accountId, recipientId });
  }
  await cancelMessages(tx, { scrollId: id, kind: 'warning' });
  // Whoever looks for themselves is told by nobody.
  if (scroll.recipient_type === 'card') return true;
  const countedTime = (await readInstanceClock(tx)).counted_time;
  await writeMessage(
    tx,
    {
      ...place,
      public_id: message,
      kind: 'release',
      channel: scroll.recipient_type,
      address: scroll.recipient_address,
      account_id: scroll.account_id,
      scroll_id: id,
      scroll_public_id: scroll.public_id,
      // Its place was taken when its watch began: accounts that are made afterwards stand behind it.
      in_line_since: scroll.watching_since ?? countedTime,
    },
    { time, countedTime },
  );
  return true;
}

/** The vault of an address that nobody here had when the scroll was written may have come since. */
async function findRecipient(tx: Database, id: number, address: string): Promise<number | null> {
  const { recipient_account_id } = await tx
    .updateTable('legacy_scrolls')
    .set((eb) => ({
      recipient_account_id: eb
        .selectFrom('vault_keys')
        .select('vault_keys.account_id')
        .where('vault_keys.address', '=', address)
        .limit(1),
    }))
    .where('id', '=', id)
    .returning('recipient_account_id')
    .executeTakeFirstOrThrow();
  return recipient_account_id;
}
