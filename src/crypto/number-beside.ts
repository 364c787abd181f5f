// Seal numbers that are made from others: of what is brought back where a row with its own number is there and does not open, and of
// a whisper that is kept as a memory (docs/formats.md, "Number beside another").
import { toBase64Url } from './base64.ts';
import { lengthPrefixed } from './encoding.ts';
import { LABELS } from './labels.ts';

/** Length of a seal number, in bytes. */
const NUMBER_LENGTH = 16;

async function numberFrom(label: string, sealId: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', lengthPrefixed(label, sealId));
  return toBase64Url(new Uint8Array(hash, 0, NUMBER_LENGTH));
}

/** The same for the same number, so that what is brought twice stands once: 22 characters of base64url. */
export const numberBeside = (sealId: string): Promise<string> => numberFrom(LABELS.numberBeside, sealId);

/**
 * The seal number of the memory that is made of a whisper: 22 characters of base64url. The whisper's own is its letter's, which may
 * stand in the same vault, and whose files it would share.
 */
export const numberOfKeptWhisper = (sealId: string): Promise<string> =>
  numberFrom(LABELS.keptWhisper, sealId);
