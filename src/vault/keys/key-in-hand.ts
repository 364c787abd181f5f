// The raw key of the vault that stands open, for the few dialogs that wrap or spell it. It is checked against the open
// vault first: another tab may have put another key into the slot they share.
import { fromHex } from '../../crypto/base64.ts';
import { fingerprintOf } from '../../crypto/vault-key.ts';
import type { Vault } from '../vault.ts';

/** The key in this browser is not the one that the open vault was opened with. */
export class AnotherKey extends Error {}

/** The 32 bytes of the open vault's key. @throws AnotherKey */
export async function keyInHand({
  loadKey,
  fingerprint,
}: Pick<Vault, 'loadKey' | 'fingerprint'>): Promise<Uint8Array> {
  const hex = loadKey();
  if (!hex) throw new AnotherKey();
  const key = fromHex(hex);
  if ((await fingerprintOf(key)) !== fingerprint) throw new AnotherKey();
  return key;
}
