// A standard reader of codes, where it is installed, reads sheets of paper, and the program that stands on the last sheet does the rest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { utf8 } from '../../crypto/encoding.ts';
import { pack, writeCodes } from './codes.ts';
import { drawing, scan } from './testing/scan.ts';

const isInstalled = spawnSync('zbarimg', ['--version']).error === undefined;
const python = fileURLToPath(new URL('./read-paper.py', import.meta.url));

test('sheets give the same bytes by zbar and the printed program, also when one in four is lost', (context) => {
  if (!isInstalled) return context.skip('zbarimg is not installed');
  return readByZbar();
});

async function readByZbar(): Promise<void> {
  const draw = drawing(7);
  const bytes = utf8(Array.from({ length: 6000 }, () => String.fromCharCode(33 + 90 * draw())).join(''));
  const { texts, head, sheets } = await writeCodes(pack(bytes));
  expect(sheets).toBeGreaterThanOrEqual(4);
  const folder = mkdtempSync(join(tmpdir(), 'latebra-zbar-'));
  try {
    const pages = Array.from({ length: sheets }, (_, at) => at).filter((at) => at % 4 !== 1);
    const files = pages.map((at) => {
      const codes = texts.slice(at * head.perSheet, (at + 1) * head.perSheet);
      const shades = [230, 40] as const;
      const damage = { module: 4, turned: 1.5, skew: [0, 0] as const, noise: 20, blur: 0, shades, blots: [] };
      const { width, height, luma } = scan(codes, damage, draw);
      const file = join(folder, `${at}.pgm`);
      writeFileSync(file, Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), luma]));
      return file;
    });
    const found = spawnSync('zbarimg', ['--quiet', '--raw', ...files], { maxBuffer: 2 ** 26 });
    const read = spawnSync('python3', [python], { input: found.stdout, maxBuffer: 2 ** 26 });
    expect(read.stderr.toString()).toBe('');
    expect(Buffer.compare(read.stdout, bytes)).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
