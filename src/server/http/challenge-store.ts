// Things that are good for one use and a few minutes: nonces, passkey challenges, sign-in states.
import { sql } from 'kysely';
import { MINUTE } from '../../shared/time.ts';
import { asText } from '../db/casts.ts';
import type { Database } from '../db/open.ts';
import { retried } from '../db/transact.ts';
import type { Deps } from '../deps.ts';
import { sha256 } from '../digests.ts';

export type Purpose =
  | 'passkey-begin'
  | 'passkey-enter'
  | 'passkey-add'
  | 'passkey-proof'
  | 'words'
  | 'words-proof'
  | 'wallet-artifact'
  | 'wallet-link'
  | 'checkout';

const LASTS = 5 * MINUTE;
/**
 * Challenges are written for people who are not signed in. Each address may ask for some; beyond this many from everywhere
 * the oldest go, so that no number of addresses fills the disk.
 */
const CHALLENGES_MAX = 100_000;

/** Remembers a challenge with what belongs to it. Only its hash is stored. @param lasts milliseconds */
export async function issueChallenge(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  purpose: Purpose,
  challenge: string,
  payload: Record<string, unknown> = {},
  lasts = LASTS,
): Promise<void> {
  await db
    .insertInto('challenges')
    .values({
      id_hash: sha256(challenge),
      purpose,
      payload: JSON.stringify(payload),
      expires_at: now() + lasts,
    })
    .execute();
}

/**
 * Writes down that something was used which carries its own proof and its own end.
 * @returns whether this was its first use
 */
export async function spendOnce(
  { db }: Pick<Deps, 'db'>,
  purpose: 'oidc',
  value: string,
  expiresAt: number,
): Promise<boolean> {
  const row = await db
    .insertInto('challenges')
    .values({ id_hash: sha256(value), purpose, payload: '{}', expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes a challenge out of the world. The one who gets its payload is the only one who ever will. */
export async function consumeChallenge(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  purpose: Purpose,
  challenge: string,
): Promise<Record<string, unknown> | null> {
  const row = await db
    .deleteFrom('challenges')
    .where('id_hash', '=', sha256(challenge))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now())
    .returning('payload')
    .executeTakeFirst();
  return row ? (JSON.parse(row.payload) as Record<string, unknown>) : null;
}

/** Deletes what names an account in its payload: what a sign-in of it has begun. */
export async function deleteChallengesOf(tx: Database, uid: string): Promise<void> {
  await tx
    .deleteFrom('challenges')
    .where('payload', 'like', asText(sql.val(`%${uid}%`)))
    .execute();
}

/** Deletes challenges that are over, and the oldest of too many. */
export async function expireChallenges({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await retried(db, () => db.deleteFrom('challenges').where('expires_at', '<=', now()).execute());
  await eraseOldestChallenges(db, CHALLENGES_MAX);
}

export async function eraseOldestChallenges(db: Database, max: number): Promise<void> {
  await db
    .deleteFrom('challenges')
    .where('expires_at', '<', (eb) =>
      eb
        .selectFrom('challenges as newer')
        .select('newer.expires_at')
        .orderBy('newer.expires_at', 'desc')
        .limit(1)
        .offset(max - 1),
    )
    .execute();
}
