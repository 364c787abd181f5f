// docs/asvs.md has one row for each requirement of ASVS 5.0.0 at levels 1 and 2, and points at files that exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8');

/** The numbers of level 1 and 2 in each section; level 3 alone has the ones that are left out. */
const SECTIONS = `
  1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2 2.1:1-3 2.2:1-3 2.3:1-4 2.4:1 3.2:1-2 3.3:1-4 3.4:1-6 3.5:1-5 3.7:1-2
  4.1:1-3 4.2:1 4.3:1-2 4.4:1-4 5.1:1 5.2:1-3 5.3:1-2 5.4:1-3 6.1:1-3 6.2:1-12 6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3
  6.8:1-4 7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2 8.1:1-2 8.2:1-3 8.3:1 8.4:1 9.1:1-3 9.2:1-4 10.1:1-2
  10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3 11.1:1-2 11.2:1-3 11.3:1-3 11.4:1-4 11.5:1 11.6:1
  12.1:1-3 12.2:1-2 12.3:1-4 13.1:1 13.2:1-5 13.3:1-2 13.4:1-5 14.1:1-2 14.2:1-4 14.3:1-3 15.1:1-3 15.2:1-3
  15.3:1-7 16.1:1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3 17.1:1 17.2:1-4 17.3:1-2`;

const wanted = SECTIONS.trim()
  .split(/\s+/)
  .flatMap((entry) => {
    const [section, range] = entry.split(':');
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => `V${section}.${first + index}`);
  });

const rows = [...page.matchAll(/^\| (V\d+\.\d+\.\d+) \|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, id, about, state, where]) => ({ id, about: about.trim(), state: state.trim(), where: where.trim() }),
);

test('every requirement of levels 1 and 2 has one row, in order', () => {
  expect(rows.map(({ id }) => id)).toEqual(wanted);
});

test('every row says what it asks for, how that stands, and where or why', () => {
  for (const { id, about, state, where } of rows) {
    expect(['met', 'n/a', 'not met'], id).toContain(state);
    expect(about.length * where.length, id).toBeGreaterThan(0);
  }
});

test('every file that a row points at exists', () => {
  const paths = [...page.matchAll(/`((?:src|docs|e2e|scripts)\/[\w./-]+)`/g)].map(([, path]) => path);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the row about the rules of calls names each that the server admits a call by', () => {
  const route = readFileSync(join(root, 'src/server/http/route.ts'), 'utf8');
  const [admit = ''] = /^async function admit\([\s\S]*?^}/m.exec(route) ?? [];
  const rules = new Set([...admit.matchAll(/\brow\.(\w+)/g)].map(([, rule]) => rule));
  const [named = ''] = /^.+(?= of each row)/.exec(rows.find(({ id }) => id === 'V8.1.1').where) ?? [];
  const names = [...named.matchAll(/`(\w+)`/g)].map(([, rule]) => rule);
  expect(names).toEqual(expect.arrayContaining([...rules]));
  const contract = readFileSync(join(root, 'src/shared/http/call.ts'), 'utf8');
  for (const rule of names) expect(contract).toMatch(new RegExp(`^  ${rule}\\??:`, 'm'));
});
