// A second implementation of sealed files, written from docs/formats.md with the noble libraries and none of our code. It
// takes a file as a whole.
import { gcm } from '@noble/ciphers/aes.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';
import { tuple } from './reference.ts';

type File = { id: string; key: Uint8Array };
type Steps = { small: number; segment: number };

const STEPS: Steps = { small: 65536, segment: 1048576 };

/** @param padding what stands behind the file; zeros, unless a test wants others */
export function sealFileAs(
  plain: Uint8Array,
  { id, key }: File,
  { small, segment }: Steps = STEPS,
  padding = 0,
): { segments: Uint8Array[]; root: Uint8Array } {
  let length = small;
  while (length < plain.length) length += length < segment ? small : segment;
  const padded = new Uint8Array(length).fill(padding);
  padded.set(plain);
  const segments: Uint8Array[] = [];
  for (let at = 0; at < length; at += segment) {
    const piece = padded.subarray(at, at + segment);
    segments.push(cipher({ id, key }, at / segment, at + segment >= length, length).encrypt(piece));
  }
  const marks = segments.map((sealed) => sha256(sealed));
  const root = sha256(concatBytes(tuple('latebra/v1/file-root', id, `${length}`), ...marks));
  return { segments, root };
}

/** The file in segments of a ciphertext. Throws where one of them does not open. */
export function openFileAs(
  sealed: Uint8Array,
  { id, key, bytes }: File & { bytes: number },
  { segment }: Steps = STEPS,
): Uint8Array {
  const whole = segment + 16;
  const segments = Math.ceil(sealed.length / whole);
  const length = sealed.length - 16 * segments;
  const pieces = Array.from({ length: segments }, (_, index) =>
    cipher({ id, key }, index, index === segments - 1, length).decrypt(
      sealed.subarray(index * whole, (index + 1) * whole),
    ),
  );
  return concatBytes(...pieces).subarray(0, bytes);
}

function cipher({ id, key }: File, index: number, isLast: boolean, length: number) {
  const last = isLast ? 1 : 0;
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setBigUint64(3, BigInt(index));
  nonce[11] = last;
  if (base64urlnopad.decode(id).length !== 16) throw new Error('id');
  return gcm(key, nonce, tuple('latebra/v1/file', id, `${index}`, `${last}`, `${length}`));
}
