// Whether a vault's key may follow the one that this browser saw last. What a server shows is judged here before it is
// used; nothing here keeps or overwrites a key.
import { openKeyRing } from '../../crypto/key-ring.ts';
import { deriveContentKey, fingerprintOf } from '../../crypto/vault-key.ts';
import type { ClientKeyRecord, VaultKeyRecord } from '../../shared/nouns/vault-key.ts';

/** A key that a vault was seen with. */
export interface KeyPin {
  /** How many keys the vault had, this one included. */
  generation: number;
  fingerprint: string;
  /** Base64. It verifies that the next key comes after this one. */
  verifyingKey: string;
}

/**
 * `known`: seen before, or never any. `next`: the key before vouches for it. `unvouched`: newer, and nothing here shows
 * that it comes after the one that was seen. `older`: it came before that one. `rival`: another key of the same number.
 */
export type Judgement = 'known' | 'next' | 'unvouched' | 'older' | 'rival';

/** What can be said of an envelope before its key is in hand. It is not verified by this: whoever holds the key does. */
export async function judgeEnvelope(pin: KeyPin | null, clientKey: ClientKeyRecord): Promise<Judgement> {
  if (!pin) return 'known';
  const { generation, fingerprint, verifyingKey } = clientKey;
  if (generation < pin.generation) return 'older';
  // The same key under a later number has signed that itself: it was put back after a backup was restored.
  const same = fingerprint === pin.fingerprint && verifyingKey === pin.verifyingKey;
  if (same) return generation === pin.generation ? 'known' : 'next';
  if (generation === pin.generation) return 'rival';
  if (generation !== pin.generation + 1) return 'unvouched';
  const { verifySuccession } = await import('../../crypto/client-key.ts');
  return (await verifySuccession(clientKey, pin.verifyingKey)) ? 'next' : 'unvouched';
}

/**
 * The same, once the envelope's 32-byte key is in hand. The key that was seen may then stand in its ring: only somebody
 * who had it can have put it there. That vouches over several keys that this browser never saw.
 */
export async function judgeKey(
  pin: KeyPin | null,
  { clientKey, keyRing }: Pick<VaultKeyRecord, 'clientKey' | 'keyRing'>,
  key: Uint8Array,
): Promise<Judgement> {
  const judgement = await judgeEnvelope(pin, clientKey);
  if (judgement !== 'unvouched' || !pin || !keyRing) return judgement;
  try {
    const { deriveIdentity } = await import('../../crypto/identity.ts');
    for (const older of await openKeyRing(keyRing, await deriveContentKey(key))) {
      if ((await fingerprintOf(older.key)) !== pin.fingerprint) continue;
      if ((await deriveIdentity(older.key)).verifyingKey === pin.verifyingKey) return 'next';
    }
  } catch {
    // A ring that does not open vouches for nothing.
  }
  return 'unvouched';
}

/** Whether a key may take the seen one's place without asking. */
export const follows = (judgement: Judgement) => judgement === 'known' || judgement === 'next';
