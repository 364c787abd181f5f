// Padding that hides the exact length of a text (docs/formats.md, "Seal"). It must never take off what it did not put there.
import type { Bytes } from './encoding.ts';
import { OpenError } from './errors.ts';

const BLOCK = 256;

/** ISO/IEC 7816-4 padding: one byte 0x80, then zeros up to a multiple of 256 bytes. */
export function pad(bytes: Bytes): Bytes {
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  return padded;
}

/** What `pad` was given. The bytes must be authentic. Throws an OpenError for another padding, or a longer one. */
export function unpad(padded: Bytes): Bytes {
  let end = padded.length - 1;
  while (padded[end] === 0) end--;
  const whole = padded.length === Math.ceil((end + 1) / BLOCK) * BLOCK;
  if (padded[end] !== 0x80 || !whole) throw new OpenError();
  return padded.subarray(0, end);
}
