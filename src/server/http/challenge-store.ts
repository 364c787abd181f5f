// Things that are good for one use and a few minutes: nonces, passkey challenges, sign-in states.
import type { Deps } from '../deps.ts';
import { sha256 } from './digests.ts';

export type Purpose =
  | 'passkey-begin'
  | 'passkey-enter'
  | 'passkey-add'
  | 'passkey-proof'
  | 'words'
  | 'words-proof';

const LASTS = 5 * 60 * 1000;

/** Remembers a challenge with what belongs to it. Only its hash is stored. */
export async function issueChallenge(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  purpose: Purpose,
  challenge: string,
  payload: Record<string, unknown> = {},
): Promise<void> {
  await db
    .insertInto('challenges')
    .values({
      id_hash: sha256(challenge),
      purpose,
      payload: JSON.stringify(payload),
      expires_at: now() + LASTS,
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
