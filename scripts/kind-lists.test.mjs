// What a new kind of entry costs: the files that name every kind, and so have to name it as well. Whatever else treats all
// kinds alike walks the registries (src/shared/sealed-kinds.ts, src/vault/kinds/entry-kinds.ts). What is forgotten in one of
// these does not compile, or fails src/web/testing/every-kind.test.tsx or a test of the server's tables.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const KINDS = [/\bmemor(y|ies)\b|memory_|memoryK|memoryS|deletedMem/i, /relationship/i, /myth/i];
const LISTS = [
  'scripts/docs/api.mjs',
  'scripts/walls.mjs',
  'src/server/app.ts',
  'src/server/db/schema.ts',
  'src/server/db/sealed-tables.ts',
  'src/shared/http/contract.ts',
  'src/shared/nouns/sealed-rows.ts',
  'src/shared/screens.ts',
  'src/shared/sealed-kinds.ts',
  'src/vault/api/first-calls.ts',
  'src/vault/kinds/entry-kinds.ts',
  'src/vault/sharing/share.ts',
  'src/web/chambers/dashboard/page.tsx',
  'src/web/routes.tsx',
  'src/web/shell/chamber-places.ts',
];
/** They tell of the chambers in sentences. */
const PROSE = ['src/shared/black-scroll.ts', 'src/web/chambers/landing/uses.tsx'];

const isTest = (path) => /\.test\.|\/testing\/|\/simulation\/|\/corpus\//.test(path);
/** A new kind has a migration of its own. */
const isMigration = (path) => path.includes('/migrations/');

/** Every file of the product and of its tools that names all kinds, outside comments. */
function filesThatNameEveryKind() {
  return ['src', 'scripts']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const source = readFileSync(file, 'utf8');
      const code = source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
      return KINDS.every((kind) => kind.test(code));
    })
    .map((file) => relative(root, file).split(sep).join('/'))
    .filter((path) => !isTest(path) && !isMigration(path) && !PROSE.includes(path));
}

test('a new kind of entry is named in fifteen files at most, and these are all', () => {
  expect(LISTS.length).toBeLessThanOrEqual(15);
  expect(filesThatNameEveryKind().sort(), 'walk a registry instead of naming every kind').toEqual(LISTS);
});
