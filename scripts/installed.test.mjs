import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isInstalled, matchesLock } from './installed.mjs';

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'latebra-installed-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (file, packages) => {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), JSON.stringify({ packages }));
};
const lock = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/for-windows': { version: '2.0.0', optional: true },
};

it('is not while nothing was installed', () => {
  write('package-lock.json', lock);
  expect(matchesLock(root)).toBe(false);
});

it('is when npm has recorded every package, but for those of other systems', () => {
  write('package-lock.json', lock);
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  expect(matchesLock(root)).toBe(true);
});

it('is not when a package has another version, or is missing', () => {
  write('package-lock.json', { ...lock, 'node_modules/b': { version: '1.0.0' } });
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  expect(matchesLock(root)).toBe(false);
  write('package-lock.json', lock);
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.1' } });
  expect(matchesLock(root)).toBe(false);
});

it('is not when the database driver does not run', () => {
  write('package-lock.json', lock);
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  expect(isInstalled(root)).toBe(false);
});

it('is here, where these tests run', () => {
  expect(isInstalled(fileURLToPath(new URL('..', import.meta.url)))).toBe(true);
});
