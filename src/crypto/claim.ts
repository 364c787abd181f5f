// What a one-time link proves and opens (docs/formats.md, "Share"). It must never let the door, which comes from the
// link alone, say anything about the passphrase: whoever intercepts a link would guess at it in peace.
import { fromBase64Url, toBase64Url } from './base64.ts';
import { type Bytes, exactly, utf8 } from './encoding.ts';
import { hkdf, hkdfAesKey } from './hkdf.ts';
import { LABELS } from './labels.ts';

const SECRET_LENGTH = 32;
const STRETCHED_LENGTH = 32;
const PROOF_LENGTH = 32;
const SALT_LENGTH = 16;

/** What a link's secret, with its passphrase where it has one, yields. */
export type Share = {
  /** Proves that the link is whole: 32 bytes in base64url, from the secret alone. */
  door: string;
  /** Proves that the passphrase is right as well: 32 bytes in base64url. */
  claim: string;
  /** Seals the words themselves: AES-256-GCM, non-extractable. */
  contentKey: CryptoKey;
};

/** The secret of a new link: 32 bytes from the platform's random source. */
export function newShareSecret(): Bytes {
  return crypto.getRandomValues(new Uint8Array(SECRET_LENGTH));
}

/** What stands after `#` in a link: 43 characters of base64url. Throws a TypeError unless `secret` has 32 bytes. */
export function shareSecretToText(secret: Uint8Array): string {
  return toBase64Url(exactly(SECRET_LENGTH, secret));
}

/** The secret of exactly those 43 characters. Throws a TypeError, which does not repeat them, on anything else. */
export function shareSecretFromText(text: string): Bytes {
  return exactly(SECRET_LENGTH, fromBase64Url(text));
}

/** The Argon2id salt of a link's passphrase: 16 bytes. The secret makes it, so it is stored and sent nowhere. */
export async function shareSalt(secret: Uint8Array): Promise<Bytes> {
  return hkdf(exactly(SECRET_LENGTH, secret), new Uint8Array(), utf8(LABELS.shareSalt), SALT_LENGTH);
}

/**
 * Both proofs of a link and its content key. `stretched` is 32 bytes of Argon2id over the passphrase and `shareSalt`,
 * under parameters that `assertParams` passes, or null for a link without a passphrase. Throws a TypeError on other
 * lengths.
 */
export async function deriveShare(secret: Uint8Array, stretched: Uint8Array | null): Promise<Share> {
  const material = joined(
    exactly(SECRET_LENGTH, secret),
    stretched ? exactly(STRETCHED_LENGTH, stretched) : null,
  );
  const [door, claim, contentKey] = await Promise.all([
    hkdf(secret, new Uint8Array(), utf8(LABELS.shareDoor), PROOF_LENGTH),
    hkdf(material, new Uint8Array(), utf8(LABELS.shareClaim), PROOF_LENGTH),
    hkdfAesKey(material, utf8(LABELS.shareContent)),
  ]);
  return { door: toBase64Url(door), claim: toBase64Url(claim), contentKey };
}

/**
 * What the server keeps of a door or a claim: base64url of SHA-256 over its 32 bytes. Plain hashing is enough, since
 * the secret's 256 bits stand behind both. Throws a TypeError unless `proof` is base64url of 32 bytes.
 */
export async function proofHash(proof: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', exactly(PROOF_LENGTH, fromBase64Url(proof)));
  return toBase64Url(new Uint8Array(digest));
}

function joined(secret: Bytes, stretched: Bytes | null): Bytes {
  if (!stretched) return secret;
  const material = new Uint8Array(secret.length + stretched.length);
  material.set(secret);
  material.set(stretched, secret.length);
  return material;
}
