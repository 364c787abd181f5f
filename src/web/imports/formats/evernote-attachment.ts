// What is attached to a note of Evernote: Base64 within the export, of which only its place is kept while the notes are read. Opened, its
// bytes have to be those that the note names, by their MD5.
import { md5 } from '@noble/hashes/legacy.js';
import { toHex } from '../../../crypto/base64.ts';
import type { Bytes } from '../../../crypto/encoding.ts';
import type { FileBeside } from '../files-beside.ts';
import { Refused } from '../imported-entry.ts';

/** Bytes of Base64 that comes in pieces, with their number and their MD5. */
class Base64Pieces {
  private readonly md5 = md5.create();
  private rest = '';
  private isBase64 = true;
  bytes = 0;

  take(text: string): Bytes {
    const all = this.rest + text.replace(/[^A-Za-z0-9+/=]/g, '');
    const whole = all.length - (all.length % 4);
    this.rest = all.slice(whole);
    try {
      const signs = atob(all.slice(0, whole));
      const piece = new Uint8Array(signs.length);
      for (let at = 0; at < signs.length; at += 1) piece[at] = signs.charCodeAt(at);
      this.md5.update(piece);
      this.bytes += piece.length;
      return piece;
    } catch {
      this.isBase64 = false;
      return new Uint8Array();
    }
  }

  /** In hexadecimal; empty for what is no Base64, which no note could name. */
  hash(): string {
    return this.isBase64 ? toHex(this.md5.digest()) : '';
  }
}

/** One attachment while its text goes by. */
export class PassingAttachment {
  private readonly pieces = new Base64Pieces();
  private readonly file: Blob;
  private readonly from: number;
  private length = 0;

  /** @param from at which byte of the file its text begins */
  constructor(file: Blob, from: number) {
    this.file = file;
    this.from = from;
  }

  /** Base64 has only signs that are one byte each. */
  take(text: string): void {
    this.length += text.length;
    this.pieces.take(text);
  }

  /** All of its text has gone by. */
  end(): PassedAttachment {
    const { file, from, length } = this;
    const size = this.pieces.bytes;
    const hash = this.pieces.hash();
    const place = file.slice(from, from + length);
    return {
      hash,
      as: (type) =>
        hash === '' || size === 0 ? null : { size, type, open: () => opened(place, { hash, type }) },
    };
  }
}

export interface PassedAttachment {
  /** Its MD5, in hexadecimal; empty for what is no Base64. */
  hash: string;
  /** How it is opened, as a file of this type; null for nothing, and for what is no Base64. */
  as: (type: string) => Omit<FileBeside, 'path'> | null;
}

/** How much Base64 of one attachment is read at once while it is opened, in bytes. */
const READ_AT_ONCE = 2 ** 20;

/** @throws Refused `damaged` where these are not the bytes that were seen */
async function opened(place: Blob, { hash, type }: { hash: string; type: string }): Promise<Blob> {
  const pieces = new Base64Pieces();
  // A browser keeps the bytes of a Blob on the disk where they are many: this page holds those of one piece.
  const aside: Blob[] = [];
  for (let at = 0; at < place.size; at += READ_AT_ONCE) {
    const text = await place.slice(at, at + READ_AT_ONCE).arrayBuffer();
    aside.push(new Blob([pieces.take(new TextDecoder('latin1').decode(text))]));
  }
  if (pieces.hash() !== hash) throw new Refused('damaged');
  return new Blob(aside, { type });
}
