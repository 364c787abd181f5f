// A WebP (RFC 9649), chunk by chunk. Kept are the chunks that draw it or say its colours; Exif, XMP, chunks that nobody knows and
// whatever stands behind the end are not the picture.
import type { Bytes } from '../../../crypto/encoding.ts';
import { type BlobBytes, beginsWith, isWalkedWhole, latin, Malformed, viewOf } from './blob-bytes.ts';
import { type LookedInto, lookedInto } from './looked-into.ts';
import { KeptRanges, namesPlace, type Walked } from './walked.ts';

const CHUNKS_MAX = 65_536;
const HEADER = 12;
const NEEDED = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const NOTE_BYTES_MAX = 256 * 1024;
/** In the flags of VP8X. */
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04];
const PREFIX = 'Exif\0\0';

class WebpWalk {
  private readonly file: BlobBytes;
  readonly kept = new KeptRanges();
  /** The whole chunk of VP8X, which stands first where there is one. */
  extended: Bytes | null = null;
  size: Walked['size'] = null;
  exif: Bytes | null = null;
  hasNotes = false;
  notesNamePlace = false;

  constructor(file: BlobBytes) {
    this.file = file;
  }

  /** @throws Malformed */
  async walk(): Promise<void> {
    const said = viewOf(await this.file.piece(4, 4)).getUint32(0, true) + 8;
    if (said > this.file.size) throw new Malformed();
    let at = HEADER;
    for (let count = 0; at < said; count += 1) {
      if (count === CHUNKS_MAX) throw new Malformed();
      const header = await this.file.piece(at, 8);
      const name = latin(header.subarray(0, 4));
      const length = viewOf(header).getUint32(4, true);
      const end = at + 8 + length + (length % 2);
      if (end > said || (name === 'VP8X' && count > 0)) throw new Malformed();
      await this.chunk(name, at, length, end);
      at = end;
    }
    this.hasNotes ||= said < this.file.size;
  }

  private async chunk(name: string, at: number, length: number, end: number): Promise<void> {
    if (name === 'VP8X') this.extended = (await this.file.piece(at, 18)).slice();
    else if (NEEDED.has(name)) this.kept.add(at, end);
    if (name.startsWith('VP8'))
      this.size ??= sizeOf(name, await this.file.piece(at + 8, Math.min(length, 10)));
    if (name === 'VP8X' || NEEDED.has(name)) return;
    const body = (await this.file.piece(at + 8, Math.min(length, NOTE_BYTES_MAX))).slice();
    if (name === 'EXIF' && this.exif === null) {
      this.exif = beginsWith(body, PREFIX) ? body.subarray(PREFIX.length) : body;
    } else {
      this.hasNotes = true;
      this.notesNamePlace ||= namesPlace(body);
    }
  }
}

/** @param body the first ten bytes of a chunk, as far as there are so many */
function sizeOf(name: string, body: Bytes): Walked['size'] {
  const view = viewOf(body);
  if (name === 'VP8L' && body.length >= 5) {
    const bits = view.getUint32(1, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (body.length < 10) return null;
  if (name === 'VP8 ') {
    return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
  }
  const three = (at: number) => view.getUint16(at, true) + ((body[at + 2] ?? 0) << 16) + 1;
  return { width: three(4), height: three(7) };
}

function chunkOf(name: string, data: Bytes): Bytes {
  const chunk = new Uint8Array(8 + data.length + (data.length % 2));
  chunk.set(new TextEncoder().encode(name));
  viewOf(chunk).setUint32(4, data.length, true);
  chunk.set(data, 8);
  return chunk;
}

/** @throws what reading the file throws */
export default async function lookIntoWebp(blob: Blob, file: BlobBytes): Promise<LookedInto> {
  const walk = new WebpWalk(file);
  const isWhole = await isWalkedWhole(walk);
  const { size, exif, hasNotes, notesNamePlace, kept, extended } = walk;
  /** Only an extended one has a place for Exif, and only such a one had it. */
  const rebuilt = (block: Bytes | null) => {
    const last = extended && block ? chunkOf('EXIF', block) : new Uint8Array();
    const first = extended?.slice() ?? new Uint8Array();
    if (extended) first[8] = ((first[8] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | (last.length > 0 ? HAS_EXIF : 0);
    const header = new Uint8Array(HEADER);
    header.set(new TextEncoder().encode('RIFF    WEBP'));
    viewOf(header).setUint32(4, 4 + first.length + kept.length + last.length, true);
    return [header, first, ...kept.of(blob), last];
  };
  return lookedInto(blob, { size, exif, hasNotes, notesNamePlace, rebuilt: isWhole ? rebuilt : null });
}
