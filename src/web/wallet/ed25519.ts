// Whether a wallet has signed something: Ed25519 by this browser, over the raw key that an address is.
import type { Bytes } from '../../crypto/encoding.ts';
import { isOfSmallOrder } from '../../shared/small-order-keys.ts';

export const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;

/** `unchecked`: this browser cannot check Ed25519 signatures, though this one has the right length. */
export type SignatureCheck = 'good' | 'bad' | 'unchecked';

/**
 * Whether the wallet of this address has signed these bytes. `bad`, too, for an address that is none, or that anybody can
 * sign for. Throws nothing.
 * @param address base58
 */
export async function checkSignature(
  address: string,
  message: Bytes,
  signature: Bytes,
): Promise<SignatureCheck> {
  try {
    if (signature.length !== SIGNATURE_BYTES) return 'bad';
    const { base58 } = await import('@scure/base');
    const publicKey = new Uint8Array(base58.decode(address));
    if (publicKey.length !== ADDRESS_BYTES || isOfSmallOrder(publicKey)) return 'bad';
    const key = await importKey(publicKey);
    if (key === null) return 'unchecked';
    return (await crypto.subtle.verify('Ed25519', key, signature, message)) ? 'good' : 'bad';
  } catch {
    return 'bad';
  }
}

async function importKey(publicKey: Bytes): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  } catch (error) {
    // What a browser throws that does not know the algorithm; a key that is none is another error.
    if (error instanceof DOMException && error.name === 'NotSupportedError') return null;
    throw error;
  }
}
