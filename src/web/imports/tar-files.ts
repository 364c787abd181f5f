// The files of a tar, read where they lie: a header of 512 bytes before each, which nothing is believed of but what adds
// up (https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html).
import { blobFile } from './blob-file.ts';
import { type LeftOutList, Refused } from './imported-entry.ts';
import { type ImportLimits, isPlainPath, type Used, type ZipFile } from './zip-files.ts';

const BLOCK = 512;
const text = new TextDecoder();

/** Whether bytes begin a tar: its first header has the sum that it names. */
export const isTar = (start: Uint8Array): boolean =>
  start.length >= BLOCK && headerOf(start.subarray(0, BLOCK)) !== null;

/**
 * The files that it has, in its order. What is no plain file, or leads out of it, is left out and counted.
 * @throws Refused `damaged` where it ends too early, `too-large` with more files than an import reads
 */
export async function openTar(
  tar: Blob,
  leftOut: LeftOutList,
  used: Used,
  limits: ImportLimits,
): Promise<ZipFile[]> {
  const files: ZipFile[] = [];
  const seen = new Set<string>();
  let longName: string | null = null;
  for (let at = 0; at + BLOCK <= tar.size; ) {
    const block = new Uint8Array(await tar.slice(at, at + BLOCK).arrayBuffer());
    if (block.every((byte) => byte === 0)) break;
    const header = headerOf(block);
    if (!header || at + BLOCK + header.size > tar.size) throw new Refused('damaged');
    const content = tar.slice(at + BLOCK, at + BLOCK + header.size);
    at += BLOCK + Math.ceil(header.size / BLOCK) * BLOCK;
    if (files.length >= limits.files) throw new Refused('too-large');
    if (header.type === 'L' || header.type === 'x')
      longName = (await nameIn(content, header.type)) ?? longName;
    else if (header.type !== 'g' && header.type !== '5') {
      const path: string = (longName ?? header.path).replace(/^\.\//, '');
      longName = null;
      if (header.type !== '0' || !isPlainPath(path)) leftOut.add('unsafe-name', path);
      else if (seen.has(path)) leftOut.add('damaged', path);
      else files.push(blobFile(path, content, used, limits));
      seen.add(path);
    } else longName = null;
  }
  return files;
}

function headerOf(block: Uint8Array): { path: string; size: number; type: string } | null {
  const field = (from: number, length: number) => {
    const bytes = block.subarray(from, from + length);
    const end = bytes.indexOf(0);
    return text.decode(end < 0 ? bytes : bytes.subarray(0, end));
  };
  const octal = (from: number, length: number) => {
    const digits = field(from, length).trim();
    return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null;
  };
  // The sum is that of the header with spaces in its own place.
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  const size = octal(124, 12);
  if (octal(148, 8) !== sum || size === null) return null;
  const prefix = field(257, 5) === 'ustar' && field(345, 155);
  const type = field(156, 1);
  return {
    path: prefix ? `${prefix}/${field(0, 100)}` : field(0, 100),
    size,
    type: type === '' || type === '7' ? '0' : type,
  };
}

/** The name of the next file, where it is too long for a header. */
async function nameIn(content: Blob, type: string): Promise<string | null> {
  if (content.size > 64 * 1024) throw new Refused('damaged');
  const said = text.decode(await content.arrayBuffer());
  return type === 'L' ? said.replace(/\0.*$/s, '') : (/(?:^|\n)\d+ path=([^\n]*)\n/.exec(said)?.[1] ?? null);
}
