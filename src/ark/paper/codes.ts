// What stands on paper as the texts of QR codes: packed, spread over sheets so that many of them may be lost, and read back.
import { base32nopad } from '@scure/base';
import { deflateSync, Inflate } from 'fflate';
import type { Bytes } from '../../crypto/encoding.ts';
import { type PaperHead, type ReadCode, readCode, writeCode } from './code-text.ts';
import { blocksMissing, gatherIn, type Spread, spreadOut } from './erasure.ts';

/** The bytes of a block: with its head it fills a QR code of version 17 at level M. */
export const BLOCK_BYTES = 400;
/** Codes of a sheet, in rows of three. */
export const PER_SHEET = 6;
/** Of all codes, how many are enough: as many sheets as three in ten may be lost, and some of the codes on the others. */
const ENOUGH = 3 / 5;
/** Every one of these divides the codes of a sheet, so that a lost sheet is the same loss to each stripe. */
const STRIPES = [1, 2, 3, 6];

/** More than fits on paper. */
export class TooMuchForPaper extends Error {}

/** In bytes: fifty times what 256 sheets of print say. What is packed may say that it is a thousand times as long. */
export const CONTENTS_MAX = 32 * 1024 * 1024;
/** Bytes that are unpacked at a time: they become 8 MiB at most. */
const STEP = 8 * 1024;

const plain = (head: PaperHead, blockBytes: number): Spread => ({
  ...{ blockBytes, data: head.data, total: head.total, stripes: head.stripes },
});

async function setOf(packed: Bytes): Promise<string> {
  const sum = await crypto.subtle.digest('SHA-256', packed);
  return base32nopad.encode(new Uint8Array(sum, 0, 20));
}

/** A paper's codes: `perSheet` of them on each sheet, in their order. */
export interface PaperCodes {
  head: PaperHead;
  texts: string[];
  sheets: number;
}

/** How many sheets the codes of so many packed bytes need. */
export const sheetsFor = (packedBytes: number, blockBytes = BLOCK_BYTES, perSheet = PER_SHEET): number =>
  Math.max(1, Math.ceil(Math.ceil(packedBytes / blockBytes) / ENOUGH / perSheet));

/** Raw deflate. @throws TooMuchForPaper for what `unpack` would refuse */
export function pack(bytes: Bytes): Bytes {
  if (bytes.length > CONTENTS_MAX) throw new TooMuchForPaper();
  return new Uint8Array(deflateSync(bytes, { level: 9 }));
}

/** @throws TooMuchForPaper, Error for what is not whole */
function unpack(packed: Bytes): Bytes {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const inflate = new Inflate((piece) => {
    length += piece.length;
    if (length > CONTENTS_MAX) throw new TooMuchForPaper();
    pieces.push(piece);
  });
  for (let at = 0; at < packed.length; at += STEP)
    inflate.push(packed.subarray(at, at + STEP), at + STEP >= packed.length);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/**
 * The codes of what `pack` gave.
 * @param sheets how many to fill, if that is more than the codes need: the more there are, the more may be lost
 * @throws TooMuchForPaper
 */
export async function writeCodes(
  packed: Bytes,
  sheets = 1,
  { blockBytes = BLOCK_BYTES, perSheet = PER_SHEET } = {},
): Promise<PaperCodes> {
  const filled = Math.max(sheets, sheetsFor(packed.length, blockBytes, perSheet));
  const total = filled * perSheet;
  const stripes = STRIPES.find((count) => total <= 256 * count);
  if (stripes === undefined) throw new TooMuchForPaper();
  const data = Math.max(1, Math.ceil(packed.length / blockBytes));
  const head = { set: await setOf(packed), data, total, stripes, perSheet, length: packed.length };
  const blocks = spreadOut(packed, plain(head, blockBytes));
  return { head, texts: blocks.map((block, n) => writeCode(head, n, block)), sheets: filled };
}

/** How far the reading of one paper is. */
export interface PaperState {
  set: string;
  /** How many of its codes were read, how many there are, and how many are enough. */
  read: number;
  total: number;
  enough: number;
  /** How many more are needed. */
  missing: number;
  sheets: number;
  /** The sheets, from 1, of which no code was read. */
  unseen: number[];
}

/** The codes of one paper, as many as were read. Nothing that was read is ever lost. */
class ReadPaper {
  readonly head: PaperHead;
  private readonly blockBytes: number;
  private readonly blocks = new Map<number, Uint8Array>();

  constructor({ head, block }: ReadCode) {
    this.head = head;
    this.blockBytes = block.length;
  }

  add({ number, block }: ReadCode): void {
    if (block.length === this.blockBytes && !this.blocks.has(number)) this.blocks.set(number, block);
  }

  get state(): PaperState {
    const { set, data, total, perSheet } = this.head;
    const sheets = Math.ceil(total / perSheet);
    const seen = new Set([...this.blocks.keys()].map((n) => Math.floor(n / perSheet) + 1));
    return {
      ...{ set, read: this.blocks.size, total, enough: data, sheets },
      missing: blocksMissing(new Set(this.blocks.keys()), plain(this.head, this.blockBytes)),
      unseen: Array.from({ length: sheets }, (_, at) => at + 1).filter((sheet) => !seen.has(sheet)),
    };
  }

  /** What was packed. @returns null where codes are missing, 'damaged' where they give something else than was written */
  async packed(): Promise<Bytes | null | 'damaged'> {
    const { length, set } = this.head;
    const filled = gatherIn(this.blocks, plain(this.head, this.blockBytes));
    if (filled === null) return null;
    const packed = filled.slice(0, length);
    return packed.length === length && (await setOf(packed)) === set ? packed : 'damaged';
  }
}

/** What a paper says, once enough of it was read. */
export type PaperBytes = { bytes: Bytes } | { problem: 'missing' | 'damaged' };

/** Codes as they are read, of one paper or of several, in any order and as often as they come. */
export class PaperReading {
  private readonly papers = new Map<string, ReadPaper>();

  /** @returns whether it is a code of a paper */
  add(text: string): boolean {
    const code = readCode(text);
    if (code === null) return false;
    const key = `${JSON.stringify(code.head)} ${code.block.length}`;
    const paper = this.papers.get(key) ?? new ReadPaper(code);
    paper.add(code);
    this.papers.set(key, paper);
    return true;
  }

  /** How far each paper is, in the order in which they were first seen. */
  states(): PaperState[] {
    return [...this.papers.values()].map(({ state }) => state);
  }

  /** What a paper says, by its place in `states`. It is never other bytes than were written: the set's number is their sum. */
  async bytesOf(place: number): Promise<PaperBytes> {
    const packed = (await [...this.papers.values()][place]?.packed()) ?? null;
    if (packed === null) return { problem: 'missing' };
    if (packed === 'damaged') return { problem: 'damaged' };
    try {
      return { bytes: unpack(packed) };
    } catch {
      // Its sum is right, so that it was made so.
      return { problem: 'damaged' };
    }
  }
}
