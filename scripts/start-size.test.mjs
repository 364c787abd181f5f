// What a first start installs, counted: it may shrink, and what makes it grow is noticed here. Whoever adds a package that only
// tests, benchmarks or checks need adds it to tools/package.json.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { wantedPackages } from './installed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

const PACKAGES_MAX = 220;
/** The sizes of all files. On a disk they take about a sixth more, in blocks. */
const BYTES_MAX = 206_000_000;

/** Those that are there: others are for other systems. */
const packages = wantedPackages(root, false).filter(({ path }) => existsSync(join(root, path)));

/** Of the files of one package, without the packages within it. */
function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + (entry.name === 'node_modules' ? 0 : sizeOf(path));
    return sum + (entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

test(`a start installs at most ${PACKAGES_MAX} packages`, () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.length).toBeLessThanOrEqual(PACKAGES_MAX);
});

test(`they have at most ${BYTES_MAX / 1e6} MB`, () => {
  const bytes = packages.reduce((sum, { path }) => sum + sizeOf(join(root, path)), 0);
  expect(bytes).toBeGreaterThan(50_000_000);
  expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
});

test('none of them has a script of its own that npm may run', () => {
  const { packages: lock } = read('package-lock.json');
  const { allowScripts } = read('package.json');
  const withScripts = packages
    .filter(({ path }) => lock[path].hasInstallScript)
    .map(({ path }) => path.replace(/^.*node_modules\//, ''));
  expect(withScripts.filter((name) => allowScripts[name] !== false)).toEqual([]);
  expect(Object.values(allowScripts)).not.toContain(true);
});

test('no file that runs or builds imports what only the tools bring', () => {
  const tools = Object.keys(read('tools/package.json').devDependencies);
  const { dependencies, devDependencies } = read('package.json');
  for (const name of tools) expect({ ...dependencies, ...devDependencies }).not.toHaveProperty([name]);
  const inTests =
    /\.(?:test|spec)\.|\/testing\/|^src\/(?:chain|simulation|demo)\/|^scripts\/(?:book-mutants|longest-first|make-icons)\.mjs$/;
  const sources = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.m?[jt]sx?$/.test(path) && !inTests.test(path)),
  );
  const importsTool = (text) =>
    tools.some((name) => new RegExp(`(?:from|import) ['"]${name}['"/]|import\\(['"]${name}['"/]`).test(text));
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((path) => importsTool(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
