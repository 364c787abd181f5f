// What one QR code of a paper says, as a text of the letters and digits that QR codes pack best: what it belongs to, its number, one
// block, and a sum (docs/formats.md, "Paper"). Bytes would be shorter, and many readers of QR codes change them. Pure.
import { base32nopad } from '@scure/base';
import { crc32 } from '../../crypto/crc32.ts';
import { utf8 } from '../../crypto/encoding.ts';
import type { Spread } from './erasure.ts';

const BEGINNING = 'LATEBRA PAPER 1';

/** What all codes of one paper say alike. */
export interface PaperHead extends Omit<Spread, 'blockBytes'> {
  /** The first 20 bytes of SHA-256 of what was packed, in base32. */
  set: string;
  /** How many codes stand on a sheet. */
  perSheet: number;
  /** How many bytes were packed. */
  length: number;
}

/** One code as it was read. */
export interface ReadCode {
  head: PaperHead;
  /** Its number, from 0. */
  number: number;
  block: Uint8Array;
}

const sumOf = (text: string) => crc32(utf8(text)).toString(16).toUpperCase().padStart(8, '0');

export function writeCode(
  { set, data, total, stripes, perSheet, length }: PaperHead,
  number: number,
  block: Uint8Array,
): string {
  const numbers = [number, data, total, stripes, perSheet, length].join(':');
  const text = `${BEGINNING}:${set}:${numbers}:${base32nopad.encode(block)}`;
  return `${text}:${sumOf(text)}`;
}

const PATTERN = new RegExp(
  `^(${BEGINNING}:([A-Z2-7]{32}):(\\d{1,5}):(\\d{1,5}):(\\d{1,5}):(\\d{1,2}):(\\d{1,2}):(\\d{1,7}):([A-Z2-7]+)):([0-9A-F]{8})$`,
);

/** Null for what is no code of a paper, or was damaged. */
export function readCode(text: string): ReadCode | null {
  const [, summed, set, number, data, total, stripes, perSheet, length, block, sum] =
    PATTERN.exec(text.trim()) ?? [];
  if (summed === undefined || sumOf(summed) !== sum) return null;
  const head: PaperHead = {
    set,
    data: Number(data),
    total: Number(total),
    stripes: Number(stripes),
    perSheet: Number(perSheet),
    length: Number(length),
  };
  if (!isPossible(head) || Number(number) >= head.total) return null;
  try {
    return { head, number: Number(number), block: base32nopad.decode(block) };
  } catch {
    // A length or last bits that base32 does not have: whoever wrote it has also made its sum.
    return null;
  }
}

const isPossible = ({ data, total, stripes, perSheet }: PaperHead) =>
  data > 0 && data <= total && stripes > 0 && total <= 256 * stripes && perSheet > 0;
