// What walking through a picture finds: what is said in it besides the picture, and which of its bytes are the picture.
import type { Bytes } from '../../../crypto/encoding.ts';

/** What a walk through a picture of one format has found. */
export interface Walked {
  /** In pixels as they are stored; null where the file does not say. */
  size: { width: number; height: number } | null;
  /** The block of Exif, which begins with its byte order; null for none. */
  exif: Bytes | null;
  /** Whether there is more that is not the picture: descriptions, comments, notes of programs, what stands behind its end. */
  hasNotes: boolean;
  /** Whether such notes name a position. */
  notesNamePlace: boolean;
  /**
   * The picture alone, its own bytes, with another block of Exif or none; null where the file is damaged, so that nobody
   * knows what of it is the picture.
   */
  rebuilt: ((exif: Bytes | null) => BlobPart[]) | null;
}

/** What is kept of a file, in order: ranges of it, or bytes in their place. Neighbours become one. */
export class KeptRanges {
  private readonly ranges: { from: number; to: number }[] = [];

  add(from: number, to: number): void {
    const last = this.ranges.at(-1);
    if (last?.to === from) last.to = to;
    else this.ranges.push({ from, to });
  }

  of(blob: Blob): Blob[] {
    return this.ranges.map(({ from, to }) => blob.slice(from, to));
  }

  get length(): number {
    return this.ranges.reduce((all, { from, to }) => all + to - from, 0);
  }
}

const PLACES = /GPSL(?:atitude|ongitude)|photoshop:City|Iptc4xmp(?:Core|Ext):Location/;

/** Whether a description names a position or a place. Compressed ones are not read. */
export const namesPlace = (notes: Uint8Array): boolean =>
  PLACES.test(new TextDecoder('latin1').decode(notes));
