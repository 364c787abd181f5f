// How large the parts of the sources are, and that the folders of the vault's screens stand one upon the other (docs/architecture.md).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** A few are long lists, or one thought; a new one among them goes with an old one. */
const LONG_FUNCTIONS = 15;
const LONG_FILES = 10;
const FUNCTION_LINES = 100;
const FILE_LINES = 300;

const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:tsx?|js)$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter((path) => !/\.test\.|\/testing\/|^src\/testing\/|\.d\.ts$|\/public\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const linesOf = (text) => text.split('\n').length - 1;

/** The functions of a file with more lines than that, by where they begin. */
function longFunctions({ path, text }) {
  const found = [];
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object') return;
    if (/Function/.test(node.type) && node.body) {
      const lines = linesOf(text.slice(node.start, node.end)) + 1;
      if (lines > FUNCTION_LINES)
        found.push(`${path}:${linesOf(text.slice(0, node.start)) + 1} (${lines} lines)`);
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path));
  return found;
}

test('few functions are longer than a hundred lines', { tags: 'long' }, () => {
  expect(longFunctions({ path: 'a.ts', text: `function a() {\n${'1;\n'.repeat(100)}}` })).toHaveLength(1);
  const long = sources.flatMap(longFunctions);
  expect(long.length, long.join('\n')).toBeLessThanOrEqual(LONG_FUNCTIONS);
});

test('few files are longer than three hundred lines', () => {
  const long = sources.filter(({ text }) => linesOf(text) > FILE_LINES).map(({ path }) => path);
  expect(long.length, long.join('\n')).toBeLessThanOrEqual(LONG_FILES);
});

/** Which folders of `src/web/vault` import which others. */
function importsOfFolders() {
  const within = sources.filter(({ path }) => path.startsWith('src/web/vault/'));
  const imports = new Map();
  for (const { path, text } of within)
    for (const [, specifier] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const target = normalize(join(dirname(path), specifier))
        .split(sep)
        .join('/');
      const [from, to] = [path, target].map((one) => /^src\/web\/vault\/([\w-]+)\//.exec(one)?.[1]);
      if (from && to && from !== to) imports.set(from, new Set([...(imports.get(from) ?? []), to]));
    }
  return imports;
}

test('the folders of the vault’s screens stand one upon the other: none imports what it is imported by', () => {
  const imports = importsOfFolders();
  expect(imports.size).toBeGreaterThan(5);
  const below = (folder, seen = new Set()) => {
    for (const next of imports.get(folder) ?? []) if (!seen.has(next)) below(next, seen.add(next));
    return seen;
  };
  expect([...imports.keys()].filter((folder) => below(folder).has(folder))).toEqual([]);
  const pairs = [...imports.values()].reduce((all, { size }) => all + size, 0);
  expect(pairs).toBeLessThanOrEqual(21);
});
