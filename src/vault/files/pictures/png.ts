// A PNG (W3C, third edition), chunk by chunk up to its end. Kept are the chunks that draw it or say its colours; texts, times, Exif,
// chunks that nobody knows and whatever stands behind the end are not the picture.
import type { Bytes } from '../../../crypto/encoding.ts';
import { type BlobBytes, isWalkedWhole, latin, Malformed, PNG_SIGNATURE, viewOf } from './blob-bytes.ts';
import { type LookedInto, lookedInto } from './looked-into.ts';
import { KeptRanges, namesPlace, type Walked } from './walked.ts';

const CHUNKS_MAX = 65_536;
/** What a chunk has besides its data: length, name and checksum. */
const AROUND = 12;
const NEEDED = new Set(
  (
    'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI mDCv cLLi bKGD hIST pHYs sPLT ' +
    'acTL fcTL fdAT'
  ).split(' '),
);
/** As much of a text as is looked through, in bytes. */
const NOTE_BYTES_MAX = 256 * 1024;

class PngWalk {
  private readonly file: BlobBytes;
  /** Up to and with IHDR, which stands first. */
  readonly head = new KeptRanges();
  readonly kept = new KeptRanges();
  size: Walked['size'] = null;
  exif: Bytes | null = null;
  hasNotes = false;
  notesNamePlace = false;

  constructor(file: BlobBytes) {
    this.file = file;
  }

  /** @throws Malformed */
  async walk(): Promise<void> {
    let at = PNG_SIGNATURE.length;
    this.head.add(0, at);
    for (let count = 0; count < CHUNKS_MAX; count += 1) {
      const header = await this.file.piece(at, 8);
      const length = viewOf(header).getUint32(0);
      const name = latin(header.subarray(4));
      const end = at + AROUND + length;
      if (end > this.file.size || (count === 0) !== (name === 'IHDR')) throw new Malformed();
      await this.chunk(name, at, length);
      if (name === 'IEND') {
        this.hasNotes ||= end < this.file.size;
        return;
      }
      at = end;
    }
    throw new Malformed();
  }

  private async chunk(name: string, at: number, length: number): Promise<void> {
    const end = at + AROUND + length;
    if (name === 'IHDR') {
      const view = viewOf(await this.file.piece(at + 8, 8));
      this.size = { width: view.getUint32(0), height: view.getUint32(4) };
      this.head.add(at, end);
    } else if (NEEDED.has(name)) this.kept.add(at, end);
    else if (name === 'eXIf' && this.exif === null && length <= NOTE_BYTES_MAX) {
      this.exif = (await this.file.piece(at + 8, length)).slice();
    } else {
      this.hasNotes = true;
      const text = await this.file.piece(at + 8, Math.min(length, NOTE_BYTES_MAX));
      this.notesNamePlace ||= namesPlace(text);
    }
  }
}

/** @throws what reading the file throws */
export default async function lookIntoPng(blob: Blob, file: BlobBytes): Promise<LookedInto> {
  const walk = new PngWalk(file);
  const isWhole = await isWalkedWhole(walk);
  const { size, exif, hasNotes, notesNamePlace, head, kept } = walk;
  const rebuilt = (block: Bytes | null) => [
    ...head.of(blob),
    ...(block ? [chunkOf('eXIf', block)] : []),
    ...kept.of(blob),
  ];
  return lookedInto(blob, { size, exif, hasNotes, notesNamePlace, rebuilt: isWhole ? rebuilt : null });
}

/** A chunk with its length and its checksum. */
export function chunkOf(name: string, data: Bytes): Bytes {
  const chunk = new Uint8Array(AROUND + data.length);
  const view = viewOf(chunk);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(name), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

/** The checksum of ISO 3309. Bit by bit: it is made of a hundred bytes. */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
