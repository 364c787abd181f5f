// The seal number of what comes from another application (docs/formats.md, "Import number"): the same thing has the same
// number in one vault, whenever it is imported. Without the vault's key, numbers tell nothing of what they stand for.
import { toBase64Url } from './base64.ts';
import { lengthPrefixed, utf8 } from './encoding.ts';
import { hkdf } from './hkdf.ts';
import { LABELS } from './labels.ts';
import { assertVaultKey } from './vault-key.ts';

/** Length of a seal number, in bytes. */
const NUMBER_LENGTH = 16;

/** The HMAC-SHA-256 key of a vault's import numbers, non-extractable. Throws a TypeError unless `key` has 32 bytes. */
export async function deriveImportKey(key: Uint8Array): Promise<CryptoKey> {
  const secret = await hkdf(assertVaultKey(key), new Uint8Array(), utf8(LABELS.importNumber), 32);
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/**
 * The seal number of one thing: the first 16 bytes of HMAC-SHA-256 over format and number, as base64url.
 * @param format which application's form it came in, such as `day-one`
 * @param sourceId what it is known by there
 */
export async function importNumber(key: CryptoKey, format: string, sourceId: string): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', key, lengthPrefixed(format, sourceId));
  return toBase64Url(new Uint8Array(mac, 0, NUMBER_LENGTH));
}
