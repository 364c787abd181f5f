// The vault key: 32 random bytes from which everything else is derived. It must never leave the browser,
// so nothing here returns it in a form that is meant to be shown, except the hex its owner keeps.
import { fromHex, toHex } from './base64.ts';
import { type Bytes, utf8 } from './encoding.ts';
import { hkdf, hkdfAesKey } from './hkdf.ts';
import { LABELS, type SeedLabel } from './labels.ts';

/** Length of a vault key, in bytes. */
export const VAULT_KEY_LENGTH = 32;

/** A new vault key: 32 bytes from the platform's random source. */
export function generateVaultKey(): Bytes {
  return crypto.getRandomValues(new Uint8Array(VAULT_KEY_LENGTH));
}

/** A vault key as 64 lower-case hexadecimal characters. Throws a TypeError unless `key` has 32 bytes. */
export function vaultKeyToHex(key: Uint8Array): string {
  return toHex(assertVaultKey(key));
}

/** The vault key of exactly 64 hexadecimal characters, in either case. Throws a TypeError on anything else. */
export function vaultKeyFromHex(hex: string): Bytes {
  if (!/^[0-9a-fA-F]{64}$/.test(hex)) throw new TypeError('A vault key is 64 hexadecimal characters');
  return fromHex(hex);
}

/** The public name of a vault key: the first 16 hexadecimal characters of SHA-256 over its 32 bytes. */
export async function fingerprintOf(key: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(assertVaultKey(key)));
  return toHex(new Uint8Array(digest, 0, 8));
}

/** What a screen may show of a vault key: its first 8 hexadecimal characters, then dots. */
export function maskKey(keyOrHex: Uint8Array | string): string {
  const key = typeof keyOrHex === 'string' ? vaultKeyFromHex(keyOrHex) : assertVaultKey(keyOrHex);
  return `${toHex(key.subarray(0, 4))}••••••••`;
}

/** The AES-256-GCM key of everything this vault's own browser seals: HKDF-SHA-256, non-extractable. */
export async function deriveContentKey(key: Uint8Array): Promise<CryptoKey> {
  return hkdfAesKey(assertVaultKey(key), utf8(LABELS.contentKey));
}

/** A 32-byte seed for one kind of asymmetric key: HKDF-SHA-256, no salt, the label as info. */
export async function deriveSeed(key: Uint8Array, label: SeedLabel): Promise<Bytes> {
  return hkdf(assertVaultKey(key), new Uint8Array(), utf8(label), 32);
}

/** Returns `key`, or throws a TypeError unless it has 32 bytes. */
export function assertVaultKey(key: Uint8Array): Uint8Array {
  if (key.length !== VAULT_KEY_LENGTH) throw new TypeError('A vault key has 32 bytes');
  return key;
}
