// Verifies what a Solana wallet has signed: Ed25519 by Node, over the raw key that an address is.
import { createPublicKey, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import { isOfSmallOrder } from '../../shared/small-order-keys.ts';

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
