// HKDF-SHA-256 (RFC 5869) by WebCrypto. It must never be given a human's passphrase: that is what Argon2id is for.
import type { Bytes } from './encoding.ts';

/**
 * Derives `length` bytes from a uniformly random `secret`, separated from every other use by `info`.
 * An empty `salt` is RFC 5869's default, enough where the secret is a random key.
 */
export async function hkdf(secret: Uint8Array, salt: Bytes, info: Bytes, length: number): Promise<Bytes> {
  const key = await importSecret(secret, 'deriveBits');
  const bits = await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8);
  return new Uint8Array(bits);
}

/** As `hkdf` with an empty salt, but yields a non-extractable AES-256-GCM key that JavaScript never sees. */
export async function hkdfAesKey(secret: Uint8Array, info: Bytes): Promise<CryptoKey> {
  const key = await importSecret(secret, 'deriveKey');
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    key,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

function importSecret(secret: Uint8Array, usage: 'deriveBits' | 'deriveKey'): Promise<CryptoKey> {
  // The copy is for the type alone: WebCrypto takes no view over shared memory.
  return crypto.subtle.importKey('raw', new Uint8Array(secret), 'HKDF', false, [usage]);
}
