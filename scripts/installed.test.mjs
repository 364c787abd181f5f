import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isInstalled, matchesLock, wantedPackages } from './installed.mjs';

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
  '': { version: '0.1.0', dependencies: { a: '1.0.0' }, devDependencies: { builds: '1.0.0' } },
  'node_modules/a': {
    version: '1.0.0',
    dependencies: { b: '^2.0.0' },
    optionalDependencies: { 'for-windows': '2.0.0', 'in-no-lock': '1.0.0' },
  },
  'node_modules/a/node_modules/b': { version: '2.0.0' },
  'node_modules/b': { version: '1.0.0' },
  'node_modules/builds': { version: '1.0.0', dev: true, peerDependencies: { c: '3' } },
  'node_modules/c': { version: '3.0.0', dev: true },
  'node_modules/for-windows': { version: '2.0.0', optional: true },
  'node_modules/latebra-tools': { resolved: 'tools', link: true },
  'node_modules/tests': { version: '4.0.0', dependencies: { b: '^1.0.0' } },
  tools: { version: '0.0.0', devDependencies: { tests: '4.0.0' } },
};
const ofAStart = ['a', 'a/node_modules/b', 'builds', 'c'];
const installed = (...names) =>
  Object.fromEntries(
    names.map((name) => [`node_modules/${name}`, { version: lock[`node_modules/${name}`].version }]),
  );

it('wants for a start what runs and what builds, and for tests their tools as well', () => {
  write('package-lock.json', lock);
  const names = (withTools) =>
    wantedPackages(root, withTools)
      .map(({ path }) => path.replace('node_modules/', ''))
      .sort();
  expect(names(false)).toEqual([...ofAStart, 'for-windows']);
  expect(names(true)).toEqual([...ofAStart.slice(0, 2), 'b', 'builds', 'c', 'for-windows', 'tests']);
});

it('refuses a lock file that lacks what is needed', () => {
  write('package-lock.json', { '': { dependencies: { a: '1.0.0' } } });
  expect(() => wantedPackages(root, false)).toThrow('a');
});

it('is not while nothing was installed', () => {
  write('package-lock.json', lock);
  expect(matchesLock(root, false)).toBe(false);
});

it('is when npm has recorded every package, but for those of other systems', () => {
  write('package-lock.json', lock);
  write('node_modules/.package-lock.json', installed(...ofAStart));
  expect(matchesLock(root, false)).toBe(true);
  expect(matchesLock(root, true)).toBe(false);
  write('node_modules/.package-lock.json', installed(...ofAStart, 'b', 'tests'));
  expect(matchesLock(root, true)).toBe(true);
});

it('is not when a package has another version, or is missing', () => {
  write('package-lock.json', lock);
  write('node_modules/.package-lock.json', installed('a', 'builds', 'c'));
  expect(matchesLock(root, false)).toBe(false);
  write('node_modules/.package-lock.json', {
    ...installed(...ofAStart),
    'node_modules/c': { version: '3.0.1' },
  });
  expect(matchesLock(root, false)).toBe(false);
});

it('is not when the database driver does not run', () => {
  write('package-lock.json', lock);
  write('node_modules/.package-lock.json', installed(...ofAStart));
  expect(isInstalled(root, false)).toBe(false);
});

it('is here, where these tests run', () => {
  expect(isInstalled(fileURLToPath(new URL('..', import.meta.url)), true)).toBe(true);
});
