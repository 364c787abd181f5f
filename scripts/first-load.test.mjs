// What a browser loads before somebody who is signed in sees the dashboard, in the app as it was built.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const web = fileURLToPath(new URL('../dist/web', import.meta.url));

/** In bytes of brotli, without the headers of the answers. It shrinks, or its commit says why not. */
const FIRST_LOAD_MAX = 89_000;

test('the scripts of the first load weigh no more than they may', () => {
  const read = (name) => readFileSync(join(web, name), 'utf8');
  const initial = read('app.html').match(/\/assets\/[\w.-]+\.js/g) ?? [];
  const { preloads } = JSON.parse(read('documents.json'))['app.html'];
  const files = [...new Set([...initial, ...(preloads['/'] ?? [])])];
  const sizeOf = (path) => statSync(path, { throwIfNoEntry: false })?.size;
  const sizes = files.map((file) => sizeOf(join(web, `${file}.br`)) ?? sizeOf(join(web, file)) ?? 0);
  const weight = sizes.reduce((all, size) => all + size, 0);
  expect(weight).toBeGreaterThan(50_000);
  expect(weight).toBeLessThanOrEqual(FIRST_LOAD_MAX);
});
