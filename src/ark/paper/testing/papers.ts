// Papers of ten sheets of which three are lost, and the others scanned badly. Everything is drawn from a number: the same one gives the
// same.
import { utf8 } from '../../../crypto/encoding.ts';
import { pack, writeCodes } from '../codes.ts';
import type { GrayImage } from '../gray.ts';
import { anyDamage, drawing, scan } from './scan.ts';

const SHEETS = 10;
const LOST = 3;

/** Of two small codes a sheet, so that a hundred of them are read in half a minute. */
export const SMALL = { bytes: 780, blockBytes: 60, perSheet: 2 };

/** Words that pack badly. */
export const words = (bytes: number, draw: () => number) =>
  utf8(Array.from({ length: bytes }, () => String.fromCharCode(33 + Math.floor(90 * draw()))).join(''));

/**
 * @param module how many pixels wide one is
 * @returns what was written, and what is left of its sheets
 * @throws Error where what was written does not give ten sheets
 */
export async function damagedPaper(
  seed: number,
  size: typeof SMALL,
  module: number,
): Promise<{ written: Uint8Array; scans: GrayImage[] }> {
  const draw = drawing(seed);
  const written = words(size.bytes, draw);
  const { texts, sheets } = await writeCodes(pack(written), 1, size);
  if (sheets !== SHEETS) throw new Error(`${sheets} sheets`);
  const lost = new Set<number>();
  while (lost.size < LOST) lost.add(Math.floor(SHEETS * draw()));
  const left = Array.from({ length: SHEETS }, (_, sheet) => sheet).filter((sheet) => !lost.has(sheet));
  const scans = left.map((sheet) => {
    const codes = texts.slice(sheet * size.perSheet, (sheet + 1) * size.perSheet);
    return scan(codes, anyDamage(draw, module), draw);
  });
  return { written, scans };
}
