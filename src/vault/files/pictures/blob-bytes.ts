// Bytes of a file by their place, read in windows so that a large one is never held whole. What is not there, or would be too much
// at once, is malformed: whatever reads a picture here meets files that somebody has made to break it.
import type { Bytes } from '../../../crypto/encoding.ts';

/** The file is not what its beginning says, or is damaged. */
export class Malformed extends Error {}

const WINDOW_BYTES = 256 * 1024;
/** The longest piece that is read at once: the limit of what one block of a picture may say besides it. */
const PIECE_BYTES_MAX = 4 * 1024 ** 2;

/** A window that is open: bytes of the file from `from` on. */
export interface Window {
  from: number;
  bytes: Bytes;
}

export class BlobBytes {
  readonly size: number;
  private readonly blob: Blob;
  private window: Window = { from: 0, bytes: new Uint8Array() };

  constructor(blob: Blob) {
    this.blob = blob;
    this.size = blob.size;
  }

  /** @throws Malformed where the file ends before, or it is more than is read at once; what reading the file throws */
  async piece(from: number, length: number): Promise<Bytes> {
    if (length > PIECE_BYTES_MAX || from + length > this.size) throw new Malformed();
    const { from: start, bytes } = this.window;
    if (from < start || from + length > start + bytes.length) {
      const to = Math.min(this.size, from + Math.max(length, WINDOW_BYTES));
      this.window = { from, bytes: new Uint8Array(await this.blob.slice(from, to).arrayBuffer()) };
    }
    const at = from - this.window.from;
    return this.window.bytes.subarray(at, at + length);
  }

  /** As many bytes from a place on as one window has: at least two. @throws Malformed where the file ends before */
  async windowFrom(from: number): Promise<Window> {
    await this.piece(from, 2);
    const { from: start, bytes } = this.window;
    return { from, bytes: bytes.subarray(from - start) };
  }
}

/** Latin text of bytes, such as the name of a block. */
export const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, 64));

/** Whether bytes begin with a text. */
export const beginsWith = (bytes: Uint8Array, text: string): boolean =>
  bytes.length >= text.length && [...text].every((sign, at) => bytes[at] === sign.charCodeAt(0));

export const viewOf = ({ buffer, byteOffset, byteLength }: Bytes): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Walks through a picture. @returns whether it is as its format wants it, to the end; @throws what reading the file throws */
export async function isWalkedWhole(through: { walk(): Promise<void> }): Promise<boolean> {
  try {
    await through.walk();
    return true;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return false;
  }
}

/** What a PNG begins with. */
export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';
