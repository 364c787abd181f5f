// The instance's OpenPGP key in the database, where all servers find the same one.
import type { Deps } from '../deps.ts';

/** Both armored; the private one is locked. */
export interface StoredKey {
  publicKey: string;
  privateKey: string;
}

type Store = Pick<Deps, 'db' | 'now'>;

export async function findSigningKey({ db }: Pick<Store, 'db'>, secretId: string): Promise<StoredKey | null> {
  const row = await db
    .selectFrom('signing_keys')
    .select(['public_key as publicKey', 'private_key as privateKey'])
    .where('secret_id', '=', secretId)
    .executeTakeFirst();
  return row ?? null;
}

/** Keeps a key unless another server was first. @returns the one that is kept */
export async function keepSigningKey(
  { db, now }: Store,
  secretId: string,
  { publicKey, privateKey }: StoredKey,
): Promise<StoredKey> {
  await db
    .insertInto('signing_keys')
    .values({ secret_id: secretId, public_key: publicKey, private_key: privateKey, created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await findSigningKey({ db }, secretId);
  if (!kept) throw new Error('the signing key that was just kept is gone');
  return kept;
}
