// Whispers as the vault that they were left for has them, and vaults by their address. One that was not released is not
// told of, and one that there is no room for yet is only counted (features/summary).
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { ReplyOf } from '../../../../shared/http/call.ts';
import type { WhisperEnvelope } from '../../../../shared/nouns/scroll-recipients.ts';
import type { vaults, Whisper, whispers } from '../../../../shared/nouns/whispers.ts';
import { lockScrolls } from '../../../db/locks.ts';
import type { Database } from '../../../db/open.ts';
import type { Schema } from '../../../db/schema.ts';
import { iso, isoOrNull } from '../../../db/times.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';
import { type Asked, type Page, readPage } from '../../../http/pages.ts';
import { cancelFollowUps } from '../../delivery/message-store.ts';
import { heldBack, scheduleQueue } from '../../delivery/whisper-room-store.ts';
import { openReleased, stands } from './opening-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'log' | 'digests'>;

const eb = expressionBuilder<Schema, 'scroll_recipients'>();
const leftFor = (accountId: number) =>
  eb.and([
    eb('recipient_account_id', '=', accountId),
    eb('scroll_recipients.released_at', 'is not', null),
    stands(),
    eb.not(heldBack()),
  ]);

/** One page. The order is that of writing; whoever shows them all sorts them. */
export async function listWhispers(
  { db }: Pick<Store, 'db'>,
  accountId: number,
  asked: Asked,
): Promise<Page<Whisper>> {
  const { rows, more } = await readPage(asked, {
    rows: ({ limit, before }) =>
      db
        .selectFrom('scroll_recipients')
        .select(['id', 'public_id', 'access', 'released_at', 'opened_at'])
        .where(leftFor(accountId))
        .where('released_at', 'is not', null)
        .where('id', '<', before)
        .orderBy('id', 'desc')
        .limit(limit)
        .$narrowType<{ released_at: number }>()
        .execute(),
  });
  const shown = rows.map(({ id, public_id, access, released_at, opened_at }) => ({
    id,
    publicId: public_id,
    access,
    releasedAt: iso(released_at),
    openedAt: isoOrNull(opened_at),
  }));
  return { rows: shown, more };
}

/** A condition on a recipient: it is a whisper whose words its vault may read. */
export const readableWhisper = (accountId: number, publicId: string): Expression<SqlBool> =>
  eb.and([
    leftFor(accountId),
    eb('public_id', '=', publicId),
    eb('access', '=', 'vault'),
    eb('envelope', 'is not', null),
  ]);

/** Its words and its envelope. */
export async function openWhisper(
  deps: Store,
  accountId: number,
  publicId: string,
): Promise<ReplyOf<typeof whispers.open> | null> {
  const row = await openReleased(deps, readableWhisper(accountId, publicId), deps.now());
  if (!row || row.envelope === null) return null;
  if (row.before === null) await transact(deps.db, (tx) => scheduleQueue(tx, deps, accountId));
  return {
    encryptedContent: row.encrypted_content,
    envelope: JSON.parse(row.envelope) as WhisperEnvelope,
    recipientAddress: row.recipient_address,
    sealId: row.seal_id,
    createdAt: iso(row.created_at),
    releasedAt: iso(row.released_at),
    openedBefore: isoOrNull(row.before),
  };
}

/**
 * Deletes a whisper for the vault that it was left for. It stays its author's, who keeps it or deletes it, and hears nothing
 * of this; where nobody's any more, it is erased, unless others are told only if nobody opens the letter.
 * @returns false where there is none
 */
export async function deleteWhisper(deps: Store, accountId: number, publicId: string): Promise<boolean> {
  const { db, now } = deps;
  const deleted = await transact(db, async (tx) => {
    const found = await tx
      .selectFrom('scroll_recipients')
      .select('scroll_id')
      .where('public_id', '=', publicId)
      .executeTakeFirst();
    if (!found) return false;
    // A scroll comes before its recipients, whatever becomes of either (db/locks.ts).
    await lockScrolls(tx, (q) => q('id', '=', found.scroll_id));
    const gone = await tx
      .updateTable('scroll_recipients')
      .set({ recipient_account_id: null })
      .where(leftFor(accountId))
      .where('public_id', '=', publicId)
      .returning(['id', 'scroll_id', 'account_id'])
      .executeTakeFirst();
    if (!gone) return false;
    if (gone.account_id === null && !(await isFollowed(tx, gone.scroll_id))) {
      await eraseLeft(tx, gone);
      return true;
    }
    // It had arrived. A delivery that has not written that down yet would find no vault, and tell the author so.
    await tx
      .updateTable('messages')
      .set({ state: 'sent', sent_at: now() })
      .where('recipient_id', '=', gone.id)
      .where('kind', '=', 'release')
      .where('state', '=', 'waiting')
      .execute();
    return true;
  });
  // Should this be lost, the line is looked at within the hour.
  if (deleted) await transact(db, (tx) => scheduleQueue(tx, deps, accountId));
  return deleted;
}

/** Whether others come after those who were told: whether it was opened decides of them, so that its row is needed. */
async function isFollowed(tx: Database, scrollId: number): Promise<boolean> {
  const later = await tx
    .selectFrom('scroll_recipients')
    .select('id')
    .where('scroll_id', '=', scrollId)
    .where('released_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}

/** What nobody's vault has left goes with its last recipient. */
async function eraseLeft(tx: Database, { id, scroll_id }: { id: number; scroll_id: number }): Promise<void> {
  await tx.deleteFrom('messages').where('recipient_id', '=', id).execute();
  await cancelFollowUps(tx, sql`id = ${id}`);
  await tx.deleteFrom('scroll_recipients').where('id', '=', id).execute();
  await tx
    .deleteFrom('legacy_scrolls')
    .where('id', '=', scroll_id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('scroll_recipients').select('id').where('scroll_id', '=', scroll_id))),
    )
    .execute();
}

export async function findVault(
  { db }: Pick<Store, 'db'>,
  address: string,
): Promise<ReplyOf<typeof vaults.find> | null> {
  const row = await db
    .selectFrom('vault_keys')
    .select(['generation', 'recipient', 'verifying_key as verifyingKey', 'signature'])
    .where('address', '=', address)
    .executeTakeFirst();
  return row ?? null;
}

/** How many whispers were released to a vault, sealed to its present key. */
export async function countWhispers(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('scroll_recipients')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('recipient_account_id', '=', accountId)
    .where('released_at', 'is not', null)
    .where('access', '=', 'vault')
    .executeTakeFirstOrThrow();
  return Number(count);
}
