// What a recipient does with sisters: it shows a token, and puts shares together (docs/formats.md, "Sisters"). Light, unlike
// sister-letter.ts: no box and no signature is made here.
import { combine } from 'shamir-secret-sharing';
import { fromBase64Url, toBase64Url } from './base64.ts';
import { type Bytes, exactly, utf8 } from './encoding.ts';
import { OpenError } from './errors.ts';
import { hkdf } from './hkdf.ts';

/** The labels of what sisters keep of a letter. They stand here, as no first load needs them. */
export const SISTER_LABELS = {
  id: 'latebra/v1/sister-id',
  life: 'latebra/v1/sister-life',
  token: 'latebra/v1/sister-token',
  addresses: 'latebra/v1/sister-addresses',
} as const;

const KEY_LENGTH = 32;
const ID_LENGTH = 16;
/** A value for each byte of the secret, and behind them where the polynomials were taken. */
const SHARE_LENGTH = 33;

/**
 * By what sisters know a letter: 22 characters of base64url. What was ended never comes back under its number, so that a letter which is
 * left with sisters anew is in another round. Throws a TypeError unless `scrollKey` has 32 bytes.
 */
export async function sisterLetterId(scrollKey: Uint8Array, round: number): Promise<string> {
  const salt = utf8(String(round));
  return toBase64Url(await hkdf(exactly(KEY_LENGTH, scrollKey), salt, utf8(SISTER_LABELS.id), ID_LENGTH));
}

/**
 * What a recipient shows to sisters, 43 characters of base64url. A mail brings it; whoever has opened the letter makes it again
 * of its key. Throws a TypeError unless `letterKey` has 32 bytes and `publicId` is 16 bytes in base64url.
 */
export async function sisterToken(letterKey: Uint8Array, publicId: string): Promise<string> {
  const salt = exactly(ID_LENGTH, fromBase64Url(publicId));
  return toBase64Url(await hkdf(exactly(KEY_LENGTH, letterKey), salt, utf8(SISTER_LABELS.token), KEY_LENGTH));
}

/** The letter's key of enough shares. Fewer, or a wrong one, give a key that opens nothing. Throws an OpenError for no shares. */
export async function letterKeyOfShares(shares: readonly string[]): Promise<Bytes> {
  try {
    return exactly(
      KEY_LENGTH,
      await combine(shares.map((share) => exactly(SHARE_LENGTH, fromBase64Url(share)))),
    );
  } catch {
    throw new OpenError();
  }
}
