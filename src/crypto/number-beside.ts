// The seal number of what is brought back where a row with its own number is there, and does not open (docs/formats.md,
// "Number beside another").
import { toBase64Url } from './base64.ts';
import { lengthPrefixed } from './encoding.ts';
import { LABELS } from './labels.ts';

/** Length of a seal number, in bytes. */
const NUMBER_LENGTH = 16;

/** The same for the same number, so that what is brought twice stands once: 22 characters of base64url. */
export async function numberBeside(sealId: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', lengthPrefixed(LABELS.numberBeside, sealId));
  return toBase64Url(new Uint8Array(hash, 0, NUMBER_LENGTH));
}
