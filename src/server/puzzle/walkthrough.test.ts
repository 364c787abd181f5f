// The operator is told all of it, in lines that fit a terminal.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hexOf } from './hex.ts';
import { createPuzzle } from './puzzle.ts';
import { hiddenTexts } from './puzzle-file.ts';
import { shippedPuzzle } from './shipped.ts';
import { walkthrough } from './walkthrough.ts';

it('tells every text, hint, phrase, hex string and share of the puzzle', () => {
  const other = { text: 'Under the stairs.', unlocks: [], phase: 7, source: 'a letter' };
  const file = { ...shippedPuzzle, others: [other] };
  const told = walkthrough(file, 'in /etc/puzzle.json');
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  const dense = told.replace(/\s+/g, '');
  expect(told).toContain('in /etc/puzzle.json');
  expect(plain(told)).toContain(plain(shippedPuzzle.shadow.scroll.split('{hex}')[0] ?? ''));
  for (const { text, hint = '', source } of hiddenTexts(file)) {
    for (const each of [text, hint, source]) expect(plain(told)).toContain(plain(each));
    expect(dense).toContain(hexOf(text));
  }
  expect(told).toContain(`    ${file.shadow.phrase}\n`);
  expect(dense).toContain(hexOf(file.shadow.phrase));
  for (const { hex, lines } of createPuzzle(file).shares.values()) {
    expect(dense).toContain(hex);
    for (const line of lines) expect(told).toContain(`    ${line}\n`);
  }
  for (const line of told.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

it.skipIf(spawnSync('perl', ['-v']).status !== 0)(
  'names a command that lays the shares upon each other',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'latebra-shares-'));
    for (const [position, { hex }] of createPuzzle(shippedPuzzle).shares) {
      // As somebody copies it out of a letter.
      writeFileSync(join(folder, String(position)), (hex.match(/.{1,64}/g) ?? []).join('\n  '));
    }
    const [command = ''] = /^ +perl .*\\\n.*$/m.exec(walkthrough(shippedPuzzle, 'shipped')) ?? [];
    const { stdout } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(stdout).toBe(shippedPuzzle.strings.artifacts.text);
  },
);
