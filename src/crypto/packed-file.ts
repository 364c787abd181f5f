// One file out of an archive, of any size: unpacked piece by piece, and held against what its archive was signed with.
import { sha256 } from '@noble/hashes/sha2.js';
import { toHex } from './base64.ts';
import type { Bytes } from './encoding.ts';
import { ArchiveError, DEFLATED, type PackedFile, STORED } from './zip.ts';

/** Bytes that are held at once, before the browser keeps them as a blob. */
const HELD = 4 * 1024 * 1024;

/**
 * The file, once it is known to be the one that was signed. A stored one is not copied.
 * Throws an ArchiveError: `damaged` where it cannot be unpacked, `altered` where it is another one.
 * @param sum SHA-256 in hex, from a manifest of which the signature was verified
 */
export async function openPacked({ method, size, packed }: PackedFile, sum: string): Promise<Blob> {
  if (method === STORED) {
    if (packed.size !== size || (await sumOf(packed)) !== sum) throw new ArchiveError('altered');
    return packed;
  }
  if (method !== DEFLATED) throw new ArchiveError('damaged');
  const file = await inflated(packed, size);
  if ((await sumOf(file)) !== sum) throw new ArchiveError('altered');
  return file;
}

async function sumOf(file: Blob): Promise<string> {
  const sum = sha256.create();
  for (let at = 0; at < file.size; at += HELD)
    sum.update(new Uint8Array(await file.slice(at, at + HELD).arrayBuffer()));
  return toHex(sum.digest());
}

/** As another program has packed it: as many bytes as it declares, or an error. */
async function inflated(packed: Blob, size: number): Promise<Blob> {
  let file = new Blob([]);
  let held: Bytes[] = [];
  let length = 0;
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      length += value.length;
      if (file.size + length > size) throw new ArchiveError('damaged');
      held.push(new Uint8Array(value));
      if (length < HELD) continue;
      file = new Blob([file, ...held]);
      [held, length] = [[], 0];
    }
  } catch {
    throw new ArchiveError('damaged');
  } finally {
    await reader.cancel().catch(() => {});
  }
  file = new Blob([file, ...held]);
  if (file.size !== size) throw new ArchiveError('damaged');
  return file;
}
