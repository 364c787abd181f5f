// AES-256-GCM (NIST SP 800-38D) as every format here frames it: a random IV, the ciphertext, the tag. It must never encrypt
// two things under one IV.
import type { Bytes } from './encoding.ts';

/** Length of an initialisation vector, in bytes. */
export const IV_LENGTH = 12;
/** How many bytes longer than its plaintext a ciphertext is: the IV and the tag. */
export const FRAME_LENGTH = IV_LENGTH + 16;

/** Encrypts under a fresh random IV, which stands before the ciphertext. Throws what WebCrypto throws. */
export async function encrypt(plain: Bytes, key: CryptoKey, additionalData: Bytes): Promise<Bytes> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_LENGTH));
  const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plain);
  const framed = new Uint8Array(IV_LENGTH + ciphertext.byteLength);
  framed.set(iv);
  framed.set(new Uint8Array(ciphertext), IV_LENGTH);
  return framed;
}

/** Decrypts what `encrypt` made. Throws what WebCrypto throws if a byte, the key or `additionalData` is another. */
export async function decrypt(framed: Bytes, key: CryptoKey, additionalData: Bytes): Promise<Bytes> {
  const iv = framed.subarray(0, IV_LENGTH);
  const algorithm = { name: 'AES-GCM', iv, additionalData };
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, framed.subarray(IV_LENGTH)));
}
