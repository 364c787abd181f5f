// Papers that were scanned badly: turned, aslant, dirty, pale, blurred, with three in ten sheets missing. Each damage is drawn from a
// number, so that every run sees the same. It takes half a minute: the whole suite alone runs it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BLOCK_BYTES, PaperReading, PER_SHEET, pack, writeCodes } from './codes.ts';
import { findCodes } from './find-codes.ts';
import type { GrayImage } from './gray.ts';
import { damagedPaper, SMALL, words } from './testing/papers.ts';
import { anyDamage, drawing, scan } from './testing/scan.ts';

/** A damaged paper, and what our reader reads of it. */
async function readDamaged(...[seed, size, module]: Parameters<typeof damagedPaper>) {
  const { written, scans } = await damagedPaper(seed, size, module);
  const read = scans.flatMap(findCodes);
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
  const papers = [];
  for (let seed = 0; seed < 100; seed++) papers.push(await readDamaged(seed, SMALL, 3.5));
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
