// Whispers as the vault that they were left for has them, and vaults by their address. One that was not released is not
// told of.
import { expressionBuilder } from 'kysely';
import type { ReplyOf } from '../../../shared/call.ts';
import type { vaults, Whisper, WhisperEnvelope, whispers } from '../../../shared/legacy.ts';
import type { Schema } from '../../db/schema.ts';
import { iso, isoOrNull } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { type Asked, type Page, readPage } from '../../http/pages.ts';
import { openReleased, stands } from './opening-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'log'>;

const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
const leftFor = (accountId: number) =>
  eb.and([eb('recipient_account_id', '=', accountId), eb('state', '=', 'released'), stands()]);

/** One page. The order is that of writing; whoever shows them all sorts them. */
export async function listWhispers(
  { db }: Pick<Store, 'db'>,
  accountId: number,
  asked: Asked,
): Promise<Page<Whisper>> {
  const { rows, more } = await readPage(asked, {
    rows: ({ limit, before }) =>
      db
        .selectFrom('legacy_scrolls')
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

/** Its words and its envelope. */
export async function openWhisper(
  deps: Store,
  accountId: number,
  publicId: string,
): Promise<ReplyOf<typeof whispers.open> | null> {
  const opens = eb.and([
    leftFor(accountId),
    eb('public_id', '=', publicId),
    eb('access', '=', 'vault'),
    eb('envelope', 'is not', null),
  ]);
  const row = await openReleased(deps, opens, deps.now());
  if (!row || row.envelope === null) return null;
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
