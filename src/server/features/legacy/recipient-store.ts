// Scrolls as whoever holds a card, or knows a passphrase, meets them. The words leave the database for a right claim
// alone, and not before the release. Nothing burns.
import { expressionBuilder, sql } from 'kysely';
import type { ReplyOf } from '../../../shared/call.ts';
import type { legacy, ScrollStretching } from '../../../shared/legacy.ts';
import { nextClaimAt } from '../../db/claim-delay.ts';
import type { Schema } from '../../db/schema.ts';
import { iso, isoOrNull } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { proofHash } from '../../http/digests.ts';
import { openReleased, stands } from './opening-store.ts';

type Store = Pick<Deps, 'db' | 'now'>;

/** What everybody may know who has the address. Asking changes nothing. */
export async function readScrollState(
  { db }: Pick<Store, 'db'>,
  publicId: string,
): Promise<ReplyOf<typeof legacy.state> | null> {
  const row = await db
    .selectFrom('legacy_scrolls')
    .select(['state', 'access', 'stretching', 'opened_at'])
    .where('public_id', '=', publicId)
    .where(stands())
    .executeTakeFirst();
  if (!row) return null;
  return {
    state: row.state === 'released' ? 'released' : 'waiting',
    access: row.access,
    stretching: row.stretching === null ? null : (JSON.parse(row.stretching) as ScrollStretching),
    openedAt: isoOrNull(row.opened_at),
  };
}

export type Opening =
  | ReplyOf<typeof legacy.open>
  | 'not-found'
  | 'not-released'
  | 'wrong-card'
  /** Milliseconds until a passphrase will be heard again. */
  | { wait: number };

export async function openScroll(deps: Store, publicId: string, claim: string): Promise<Opening> {
  const asked = { publicId, claimHash: proofHash(claim), time: deps.now() };
  const words = await takeWords(deps, asked);
  if (words) return words;
  if (await countWrongPassphrase(deps, asked)) return 'wrong-card';
  return whyRefused(deps, asked);
}

interface Asked {
  publicId: string;
  claimHash: string;
  time: number;
}

async function takeWords(
  { db }: Store,
  { publicId, claimHash, time }: Asked,
): Promise<ReplyOf<typeof legacy.open> | null> {
  const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
  const opens = eb.and([
    eb('public_id', '=', publicId),
    eb('claim_hash', '=', claimHash),
    eb('next_claim_at', '<=', time),
    stands(),
  ]);
  const row = await openReleased(db, opens, time);
  if (!row) return null;
  return {
    encryptedContent: row.encrypted_content,
    wrappedKey: row.wrapped_key,
    sealId: row.seal_id,
    createdAt: iso(row.created_at),
    releasedAt: iso(row.released_at),
    openedBefore: isoOrNull(row.before),
  };
}

/**
 * Counts a wrong passphrase, unless an earlier one must still be waited for. A card is never counted: nobody can guess
 * 32 random bytes, and whoever has the wrong card shall not shut the door on who has the right one.
 */
async function countWrongPassphrase({ db }: Store, { publicId, claimHash, time }: Asked): Promise<boolean> {
  const row = await db
    .updateTable('legacy_scrolls')
    .set({ failed_claims: sql<number>`failed_claims + 1`, next_claim_at: nextClaimAt(time) })
    .where('public_id', '=', publicId)
    .where('access', '=', 'passphrase')
    .where('claim_hash', '<>', claimHash)
    .where('next_claim_at', '<=', time)
    .where(stands())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Only words for a refusal that the statements above have already made. */
async function whyRefused(
  { db }: Store,
  { publicId, claimHash, time }: Asked,
): Promise<Exclude<Opening, { encryptedContent: string }>> {
  const row = await db
    .selectFrom('legacy_scrolls')
    .select(['claim_hash', 'next_claim_at'])
    .where('public_id', '=', publicId)
    .where(stands())
    .executeTakeFirst();
  if (!row) return 'not-found';
  if (row.next_claim_at > time) return { wait: row.next_claim_at - time };
  // What was released between the statements was not when it was asked for.
  return row.claim_hash === claimHash ? 'not-released' : 'wrong-card';
}
