// Papers that were scanned badly: turned, aslant, dirty, pale, blurred, with three in ten sheets missing. Each damage is drawn from a
// number, so that every run sees the same. It takes half a minute: the whole suite alone runs it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { utf8 } from '../../crypto/encoding.ts';
import { BLOCK_BYTES, PaperReading, PER_SHEET, pack, writeCodes } from './codes.ts';
import { findCodes } from './find-codes.ts';
import type { GrayImage } from './gray.ts';
import { anyDamage, drawing, scan } from './testing/scan.ts';

const SHEETS = 10;
const LOST = 3;

/** Words that pack badly. */
const words = (bytes: number, draw: () => number) =>
  utf8(Array.from({ length: bytes }, () => String.fromCharCode(33 + Math.floor(90 * draw()))).join(''));

/** A paper of ten sheets of which three are lost, and what is read of the others. @param module how many pixels wide one is */
async function readDamaged(
  seed: number,
  size: { bytes: number; blockBytes: number; perSheet: number },
  module: number,
) {
  const draw = drawing(seed);
  const written = words(size.bytes, draw);
  const { texts, sheets } = await writeCodes(pack(written), 1, size);
  expect(sheets).toBe(SHEETS);
  const lost = new Set<number>();
  while (lost.size < LOST) lost.add(Math.floor(SHEETS * draw()));
  const read: string[] = [];
  for (let sheet = 0; sheet < SHEETS; sheet++) {
    if (lost.has(sheet)) continue;
    const codes = texts.slice(sheet * size.perSheet, (sheet + 1) * size.perSheet);
    read.push(...findCodes(scan(codes, anyDamage(draw, module), draw)));
  }
  const reading = new PaperReading();
  for (const text of read) reading.add(text);
  const found = await reading.bytesOf(0);
  return { written, read, isSame: 'bytes' in found && Buffer.compare(found.bytes, written) === 0 };
}

function inPython(texts: readonly string[]): Buffer {
  const program = fileURLToPath(new URL('./read-paper.py', import.meta.url));
  return spawnSync('python3', [program], { input: texts.join('\n'), maxBuffer: 2 ** 26 }).stdout;
}

test('100 of 100 papers, of two small codes a sheet, are the same bytes again, by our reader and in Python', async () => {
  const size = { bytes: 780, blockBytes: 60, perSheet: 2 };
  const papers = [];
  for (let seed = 0; seed < 100; seed++) papers.push(await readDamaged(seed, size, 3.5));
  expect(papers.flatMap(({ isSame }, seed) => (isSame ? [] : [seed]))).toEqual([]);
  // The program writes every paper that it is given, in the order in which they come.
  const all = Buffer.concat(papers.map(({ written }) => written));
  expect(Buffer.compare(inPython(papers.flatMap(({ read }) => read)), all)).toBe(0);
}, 240_000);

test('a paper as it is printed, of six codes a sheet', async () => {
  const size = { bytes: 16_500, blockBytes: BLOCK_BYTES, perSheet: PER_SHEET };
  const { written, read, isSame } = await readDamaged(7, size, 4);
  expect(isSame).toBe(true);
  expect(Buffer.compare(inPython(read), written)).toBe(0);
}, 120_000);

test('a sheet is read upside down, and one without codes has none', async () => {
  const draw = drawing(5);
  const { texts } = await writeCodes(pack(words(900, draw)));
  const { width, height, luma } = scan(texts, anyDamage(draw, 4), draw);
  const turned: GrayImage = { width, height, luma: luma.toReversed() };
  expect(findCodes(turned).toSorted()).toEqual(texts.toSorted());
  expect(
    findCodes({ width: 300, height: 200, luma: new Uint8Array(60_000).map(() => 256 * draw()) }),
  ).toEqual([]);
}, 60_000);
