// Verifies what a Solana wallet has signed: Ed25519 by Node, over the raw key that an address is.
import { createPublicKey, verify } from 'node:crypto';
import { base58 } from '@scure/base';

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** @returns the public key that an address is; null for what is none: other than 32 bytes in base58 */
export function keyOfAddress(address: string): Uint8Array | null {
  try {
    // Decoding takes the square of the length.
    const key = address.length <= 44 ? base58.decode(address) : null;
    return key?.length === ADDRESS_BYTES ? key : null;
  } catch {
    return null;
  }
}

/** @param key 32 bytes */
export const addressOfKey = (key: Uint8Array): string => base58.encode(key);

/**
 * The points of small order, in every encoding, with the sign bit cleared. Anybody can sign for such a key. One of them is
 * the address 1111…, the system program's, to which tokens are sent to be burned.
 */
const SMALL_ORDER = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

function isOfSmallOrder(key: Uint8Array): boolean {
  const bytes = Buffer.from(key);
  bytes[ADDRESS_BYTES - 1] = (bytes[ADDRESS_BYTES - 1] ?? 0) & 0x7f;
  return SMALL_ORDER.has(bytes.toString('hex'));
}

/**
 * Whether the wallet of this address has signed these bytes. False, too, for an address that is none, or that anybody can
 * sign for. Throws nothing.
 * @param address base58
 */
export function hasSigned(address: string, message: Uint8Array, signature: Uint8Array): boolean {
  const key = keyOfAddress(address);
  if (!key || signature.length !== SIGNATURE_BYTES || isOfSmallOrder(key)) return false;
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') };
    return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  } catch {
    return false;
  }
}
