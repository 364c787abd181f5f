// Sacred keys as whoever holds the link meets them. The words leave the database in one statement alone, and only one
// browser can ever be the one that it lets through.
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { BodyOf, ReplyOf } from '../../../shared/call.ts';
import { LEASE, type ShareStretching, type shares } from '../../../shared/sacred-key.ts';
import { unbury } from '../../db/buried.ts';
import { nextClaimAt } from '../../db/claim-delay.ts';
import type { Schema } from '../../db/schema.ts';
import { iso } from '../../db/times.ts';
import { truncateLog } from '../../db/truncate-log.ts';
import type { Deps } from '../../deps.ts';
import { proofHash, sha256 } from '../../http/digests.ts';

type Store = Pick<Deps, 'db' | 'engine' | 'now'>;

const columns = ['door_hash', 'stretching', 'expires_at', 'opened_at', 'next_claim_at'] as const;

/** A sealed key by what its link names; null for one that never was, was revoked, or is not sealed yet. */
async function findShare({ db }: Pick<Store, 'db'>, keyId: string) {
  const row = await db
    .selectFrom('shareable_keys')
    .select(columns)
    .select(sql<0 | 1>`case when encrypted_content is null then 1 else 0 end`.as('wordless'))
    .where('key_id', '=', keyId)
    .where('door_hash', 'is not', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether an unopened link has expired. What the sweep has erased stays so, also if the clock is set back. */
function isOver({ expires_at, wordless }: { expires_at: number; wordless: 0 | 1 }, time: number): boolean {
  return wordless === 1 || expires_at <= time;
}

/** Whether a link still opens. Asking changes nothing. */
export async function readShareState(
  { db, now }: Store,
  keyId: string,
): Promise<ReplyOf<typeof shares.state> | null> {
  const row = await findShare({ db }, keyId);
  if (!row) return null;
  if (row.opened_at !== null) return { state: 'used', stretching: null };
  if (isOver(row, now())) return { state: 'expired', stretching: null };
  const stretching = row.stretching === null ? null : (JSON.parse(row.stretching) as ShareStretching);
  return { state: 'waiting', stretching };
}

interface Proofs {
  doorHash: string;
  claimHash: string;
  redemptionHash: string;
}

export type Redemption =
  | ReplyOf<typeof shares.redeem>
  | 'not-found'
  | 'share-used'
  | 'share-expired'
  | 'wrong-door'
  | 'wrong-claim'
  /** Milliseconds until a claim will be heard again. */
  | { wait: number };

/**
 * Breaks a seal. Of any number of browsers one wins; until its lease ends, or it says that it has the words, it may
 * come again. Nothing burns and nothing is counted but for a claim that came through the right door.
 */
export async function redeemShare(
  deps: Store,
  keyId: string,
  { door, claim, redemptionId }: BodyOf<typeof shares.redeem>,
): Promise<Redemption> {
  const time = deps.now();
  const proofs = {
    doorHash: proofHash(door),
    claimHash: proofHash(claim),
    redemptionHash: sha256(redemptionId),
  };
  const words = await takeWords(deps, keyId, proofs, time);
  if (words) return words;
  if (await countWrongClaim(deps, keyId, proofs, time)) return 'wrong-claim';
  return whyRefused(deps, keyId, proofs, time);
}

/** A condition: nobody has opened it, it has not expired, and no wrong claim must be waited for. */
function opensAt(time: number): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'shareable_keys'>();
  return eb.and([eb('opened_at', 'is', null), eb('expires_at', '>', time), eb('next_claim_at', '<=', time)]);
}

/** The one statement that decides who wins, and that lets the winner in again during its lease. */
async function takeWords(
  { db }: Store,
  keyId: string,
  { doorHash, claimHash, redemptionHash }: Proofs,
  time: number,
): Promise<ReplyOf<typeof shares.redeem> | null> {
  const row = await db
    .updateTable('shareable_keys')
    .set({
      redemption_hash: redemptionHash,
      opened_at: sql<number>`coalesce(opened_at, ${time})`,
      lease_until: sql<number>`coalesce(lease_until, ${time + LEASE})`,
    })
    .where('key_id', '=', keyId)
    .where('door_hash', '=', doorHash)
    .where('claim_hash', '=', claimHash)
    .where('encrypted_content', 'is not', null)
    .where((eb) =>
      eb.or([
        opensAt(time),
        eb.and([eb('redemption_hash', '=', redemptionHash), eb('lease_until', '>', time)]),
      ]),
    )
    .returning(['encrypted_content', 'lease_until'])
    .executeTakeFirst();
  if (!row || row.encrypted_content === null || row.lease_until === null) return null;
  return { encryptedContent: unbury(row.encrypted_content), leaseUntil: iso(row.lease_until) };
}

/** Counts a wrong claim that came through the right door, unless an earlier one must still be waited for. */
async function countWrongClaim(
  { db }: Store,
  keyId: string,
  { doorHash, claimHash }: Proofs,
  time: number,
): Promise<boolean> {
  const row = await db
    .updateTable('shareable_keys')
    .set({
      failed_claims: sql<number>`failed_claims + 1`,
      next_claim_at: nextClaimAt(time),
    })
    .where('key_id', '=', keyId)
    .where('door_hash', '=', doorHash)
    .where('claim_hash', '<>', claimHash)
    .where(opensAt(time))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Only words for a refusal that the two statements above have already made. */
async function whyRefused(
  deps: Store,
  keyId: string,
  { doorHash }: Proofs,
  time: number,
): Promise<Exclude<Redemption, { encryptedContent: string }>> {
  const row = await findShare(deps, keyId);
  if (!row) return 'not-found';
  if (row.opened_at !== null) return 'share-used';
  if (isOver(row, time)) return 'share-expired';
  if (row.door_hash !== doorHash) return 'wrong-door';
  // What remains was sealed between the statements: when it was asked for, it was not there.
  return row.next_claim_at > time ? { wait: row.next_claim_at - time } : 'not-found';
}

/**
 * Erases the words for good, when the browser that has them says so. Saying it again changes nothing.
 * @returns whether it was that browser
 */
export async function acknowledgeShare(
  deps: Store,
  keyId: string,
  { door, redemptionId }: BodyOf<typeof shares.acknowledge>,
): Promise<boolean> {
  const row = await deps.db
    .updateTable('shareable_keys')
    .set({ encrypted_content: null, claim_hash: null })
    .where('key_id', '=', keyId)
    .where('door_hash', '=', proofHash(door))
    .where('redemption_hash', '=', sha256(redemptionId))
    .returning('id')
    .executeTakeFirst();
  if (!row) return false;
  await truncateLog(deps);
  return true;
}
