// The OpenPGP key of this instance, made when it is first needed. The private part is stored locked with a passphrase that
// is made from the instance secret: who has the database alone cannot sign.
import type { UnlockedKey } from '../adapters/openpgp.ts';
import type { Deps } from '../deps.ts';
import { once } from '../once.ts';
import { findSigningKey, keepSigningKey, type StoredKey } from './key-store.ts';

export interface InstanceKey {
  /** Armored. */
  publicKey(): Promise<string>;
  /** Ready to sign with. */
  unlocked(): Promise<UnlockedKey>;
}

type KeyDeps = Pick<Deps, 'config' | 'db' | 'digests' | 'now'>;

// A large library that few requests need.
const openpgp = () => import('../adapters/openpgp.ts');

export function createInstanceKey(deps: KeyDeps): InstanceKey {
  const secretId = deps.digests.keyed('signing-key', 'id');
  const passphrase = deps.digests.keyed('signing-key', 'passphrase');
  const stored = once(async (): Promise<StoredKey> => {
    const kept = await findSigningKey(deps, secretId);
    if (kept) return kept;
    const { createSigningKey } = await openpgp();
    const host = deps.config.publicUrl?.hostname ?? 'localhost';
    return keepSigningKey(
      deps,
      secretId,
      await createSigningKey({ host, passphrase, at: new Date(deps.now()) }),
    );
  });
  const unlocked = once(async () => {
    const [{ unlockKey }, { privateKey }] = await Promise.all([openpgp(), stored()]);
    return unlockKey(privateKey, passphrase);
  });
  return { publicKey: async () => (await stored()).publicKey, unlocked };
}
