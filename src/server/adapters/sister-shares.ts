// The shares of a letter's keys as a sister has them (docs/formats.md, "Sisters"): how they are kept, so that a stolen
// database has none, how enough of them open recipients' addresses, and what a box of one looks like.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Digests } from '../digests.ts';
import { sisterAddressesBound } from './signatures.ts';

const IV = 12;
const TAG = 16;
const KEY_LENGTH = 32;
/** A value for each byte of the secret, and behind them where the polynomials were taken. */
const SHARE_LENGTH = 33;

/** SHA-256 of what a text of base64url stands for, base64url. */
export const hashOfShare = (share: string): string =>
  createHash('sha256').update(Buffer.from(share, 'base64url')).digest('base64url');

/** SHA-256 of a text, base64url. */
export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('base64url');

const restKey = (digests: Pick<Digests, 'keyed'>) =>
  Buffer.from(digests.keyed('sister-at-rest', 'v1'), 'hex');

/**
 * Seals a secret for this instance's own database, under a key that is not in it.
 * @param place what it belongs to; it opens nowhere else
 * @returns base64: IV, ciphertext, tag (AES-256-GCM)
 */
export function sealAtRest(digests: Pick<Digests, 'keyed'>, place: string, secret: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', restKey(digests), iv).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64');
}

/** @returns null where it was sealed under another secret, or for another place */
export const openAtRest = (digests: Pick<Digests, 'keyed'>, place: string, sealed: string): string | null =>
  open(restKey(digests), Buffer.from(place), sealed);

/**
 * What addresses of recipients say, opened with enough shares of their key.
 * @returns null where the shares are too few or do not belong together
 */
export async function openAddresses(
  { id, edition, encryptedAddresses }: { id: string; edition: number; encryptedAddresses: string },
  shares: readonly string[],
): Promise<string | null> {
  const bytes = shares.map((share) => new Uint8Array(Buffer.from(share, 'base64url')));
  if (bytes.some(({ length }) => length !== SHARE_LENGTH)) return null;
  const { combine } = await import('shamir-secret-sharing');
  try {
    const key = await combine(bytes);
    if (key.length !== KEY_LENGTH) return null;
    return open(Buffer.from(key), sisterAddressesBound(id, edition), encryptedAddresses);
  } catch {
    return null;
  }
}

function open(key: Buffer, bound: Uint8Array, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < IV + TAG) return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV), { authTagLength: TAG })
      .setAAD(bound)
      .setAuthTag(bytes.subarray(-TAG));
    return decipher.update(bytes.subarray(IV, -TAG)).toString('utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
