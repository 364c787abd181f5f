// Whether a key is the one an envelope was made with, by WebCrypto alone, at every unlocking. It must never say yes
// for an envelope whose public keys were exchanged.
import { fromHex, toBase64Url } from './base64.ts';
import { LABELS } from './labels.ts';
import { open, type SealContext, seal } from './seal.ts';
import { vaultAddress } from './vault-address.ts';
import { fingerprintOf } from './vault-key.ts';

/** The part of a `ClientKey` that the cheap check reads. */
export type CheckedKey = { fingerprint: string; recipient: string; verifyingKey: string; keyCheck: string };

/** Seals the constant by which the vault key of `contentKey` will recognise its own public keys. */
export async function sealKeyCheck(
  contentKey: CryptoKey,
  recipient: string,
  verifyingKey: string,
): Promise<string> {
  return seal(LABELS.keyCheck, contentKey, await contextOf(recipient, verifyingKey));
}

/**
 * Whether `envelope` was made with `key`: its fingerprint is the key's, and its `keyCheck` opens under `contentKey`
 * (from `deriveContentKey(key)`) as bound to the envelope's public keys. A malformed envelope is `false`.
 */
export async function keyCheckOpens(
  key: Uint8Array,
  contentKey: CryptoKey,
  envelope: CheckedKey,
): Promise<boolean> {
  try {
    const { fingerprint, recipient, verifyingKey, keyCheck } = envelope;
    if (fingerprint !== (await fingerprintOf(key))) return false;
    const constant = await open(keyCheck, contentKey, await contextOf(recipient, verifyingKey));
    return constant === LABELS.keyCheck;
  } catch {
    return false;
  }
}

/** The seal number is the vault address: 16 bytes, and the tag then vouches for both public keys. */
async function contextOf(recipient: string, verifyingKey: string): Promise<SealContext> {
  const address = fromHex(await vaultAddress(recipient, verifyingKey));
  return { kind: 'vault', field: 'key-check', sealId: toBase64Url(address) };
}
