// What opens age files that were sealed to this vault: made of the raw key when such a file is there, and not kept.
import { OpenError } from '../../crypto/errors.ts';
import { fingerprintOf } from '../../crypto/vault-key.ts';
import type { Vault } from '../vault.ts';
import { keyInHand } from './key-in-hand.ts';
import { isUnderOlderKey, keysOfTheRing } from './key-ring.ts';

/**
 * The age identity of the present key, also for rows that name none, or of one of the ring.
 * @throws OpenError when this vault has no such key; AnotherKey when the slot holds another one than the open vault's;
 *   ApiError or TypeError when the ring cannot be fetched
 */
export async function ageIdentityUnder(vault: Vault, keyFingerprint: string | null): Promise<string> {
  const key = isUnderOlderKey({ sealId: null, keyFingerprint }, vault)
    ? await ringKey(vault, keyFingerprint)
    : await keyInHand(vault);
  const { deriveIdentity } = await import('../../crypto/identity.ts');
  return (await deriveIdentity(key)).ageIdentity;
}

async function ringKey(vault: Vault, fingerprint: string | null): Promise<Uint8Array> {
  for (const { key } of await keysOfTheRing(vault)) {
    if ((await fingerprintOf(key)) === fingerprint) return key;
  }
  throw new OpenError();
}
