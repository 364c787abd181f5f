// The key of one legacy scroll, and what it and a passphrase prove and open (docs/formats.md, "Scroll"). It must never
// come from the vault's key: whoever is handed one scroll's key has that scroll and nothing else.
import { fromBase64Url, toBase64Url } from './base64.ts';
import { type Bytes, exactly, utf8 } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { hkdf, hkdfAesKey } from './hkdf.ts';
import { LABELS } from './labels.ts';
import { open, type SealContext, seal } from './seal.ts';

const KEY_LENGTH = 32;
const STRETCHED_LENGTH = 32;
const CLAIM_LENGTH = 32;

/** A new scroll's key: 32 bytes from the platform's random source. */
export function newScrollKey(): Bytes {
  return crypto.getRandomValues(new Uint8Array(KEY_LENGTH));
}

/** What stands after `#` on a key card: 43 characters of base64url. Throws a TypeError unless `key` has 32 bytes. */
export function scrollKeyToText(key: Uint8Array): string {
  return toBase64Url(exactly(KEY_LENGTH, key));
}

/** The key of exactly those 43 characters. Throws a TypeError, which does not repeat them, on anything else. */
export function scrollKeyFromText(text: string): Bytes {
  return exactly(KEY_LENGTH, fromBase64Url(text));
}

/**
 * What a key card proves, 32 bytes in base64url (`proofHash` makes of it what the server keeps), and the AES-256-GCM
 * key of the letter, non-extractable. Throws a TypeError unless `scrollKey` has 32 bytes.
 */
export async function deriveScroll(scrollKey: Uint8Array): Promise<{ claim: string; contentKey: CryptoKey }> {
  const secret = exactly(KEY_LENGTH, scrollKey);
  const [claim, contentKey] = await Promise.all([
    hkdf(secret, new Uint8Array(), utf8(LABELS.scrollClaim), CLAIM_LENGTH),
    hkdfAesKey(secret, utf8(LABELS.scrollContent)),
  ]);
  return { claim: toBase64Url(claim), contentKey };
}

/**
 * What a scroll's passphrase proves, 32 bytes in base64url, and the AES-256-GCM key that wraps the scroll key,
 * non-extractable. `stretched` is 32 bytes of Argon2id over the passphrase and the scroll's public salt, under
 * parameters that `assertParams` passes. Throws a TypeError on another length.
 */
export async function deriveScrollPassphrase(
  stretched: Uint8Array,
): Promise<{ claim: string; wrapKey: CryptoKey }> {
  const secret = exactly(STRETCHED_LENGTH, stretched);
  const [claim, wrapKey] = await Promise.all([
    hkdf(secret, new Uint8Array(), utf8(LABELS.scrollPassphraseClaim), CLAIM_LENGTH),
    hkdfAesKey(secret, utf8(LABELS.scrollPassphraseWrap)),
  ]);
  return { claim: toBase64Url(claim), wrapKey };
}

/** Seals a scroll's key for whoever knows its passphrase. Throws a SealError, also unless `scrollKey` has 32 bytes. */
export async function wrapScrollKey(
  scrollKey: Uint8Array,
  wrapKey: CryptoKey,
  sealId: string,
): Promise<string> {
  try {
    return await seal(scrollKeyToText(scrollKey), wrapKey, contextOf(sealId));
  } catch {
    throw new SealError();
  }
}

/** Opens what `wrapScrollKey` made. Throws an OpenError, which tells nothing, if anything at all is wrong. */
export async function unwrapScrollKey(wrapped: string, wrapKey: CryptoKey, sealId: string): Promise<Bytes> {
  try {
    return scrollKeyFromText(await open(wrapped, wrapKey, contextOf(sealId)));
  } catch {
    throw new OpenError();
  }
}

const contextOf = (sealId: string): SealContext => ({ kind: 'legacy-scroll', field: 'wrappedKey', sealId });
