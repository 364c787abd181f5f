// A standard reader of codes, where it is installed, reads sheets of paper, and the program that stands on the last sheet does the rest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pack, writeCodes } from './codes.ts';
import type { GrayImage } from './gray.ts';
import { damagedPaper, SMALL, words } from './testing/papers.ts';
import { drawing, scan } from './testing/scan.ts';

const isInstalled = spawnSync('zbarimg', ['--version']).error === undefined;
const python = fileURLToPath(new URL('./read-paper.py', import.meta.url));

test('sheets give the same bytes by zbar and the printed program, also when one in four is lost', (context) => {
  if (!isInstalled) return context.skip('zbarimg is not installed');
  return readByZbar();
});

test('100 of 100 damaged papers are the same bytes by zbar and the printed program, three in ten sheets lost', {
  timeout: 600_000,
}, async (context) => {
  if (!isInstalled) return context.skip('zbarimg is not installed');
  const wrong = [];
  for (let seed = 0; seed < 100; seed++) {
    const { written, scans } = await damagedPaper(seed, SMALL, 3.5);
    if (Buffer.compare(byZbar(scans).stdout, written) !== 0) wrong.push(seed);
  }
  expect(wrong).toEqual([]);
});

/** What the printed program writes of scans that zbar has read. */
function byZbar(scans: readonly GrayImage[]) {
  const folder = mkdtempSync(join(tmpdir(), 'latebra-zbar-'));
  try {
    const files = scans.map(({ width, height, luma }, at) => {
      const file = join(folder, `${at}.pgm`);
      writeFileSync(file, Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), luma]));
      return file;
    });
    const found = spawnSync('zbarimg', ['--quiet', '--raw', ...files], { maxBuffer: 2 ** 26 });
    return spawnSync('python3', [python], { input: found.stdout, maxBuffer: 2 ** 26 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readByZbar(): Promise<void> {
  const draw = drawing(7);
  const bytes = words(6000, draw);
  const { texts, head, sheets } = await writeCodes(pack(bytes));
  expect(sheets).toBeGreaterThanOrEqual(4);
  const pages = Array.from({ length: sheets }, (_, at) => at).filter((at) => at % 4 !== 1);
  const scans = pages.map((at) => {
    const codes = texts.slice(at * head.perSheet, (at + 1) * head.perSheet);
    const shades = [230, 40] as const;
    return scan(codes, { module: 4, turned: 1.5, skew: [0, 0], noise: 20, blur: 0, shades, blots: [] }, draw);
  });
  const read = byZbar(scans);
  expect(read.stderr.toString()).toBe('');
  expect(Buffer.compare(read.stdout, bytes)).toBe(0);
}
