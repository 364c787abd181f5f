import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { precompress } from './compress.mjs';

let place;
let web;
let cache;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'latebra-compress-'));
  [web, cache] = [join(place, 'web'), join(place, 'cache')];
  mkdirSync(join(web, 'assets'), { recursive: true });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

// Text that the last step of quality makes smaller.
const text = Array.from({ length: 3000 }, (_, n) => `const n${(n * 7919) % 3001} = ${(n * n) % 977};`).join(
  '\n',
);

it('writes both forms beside what is sent, and of nothing else', async () => {
  writeFileSync(join(web, 'assets/app.js'), text);
  writeFileSync(join(web, 'assets/font.woff2'), 'font');
  writeFileSync(join(web, 'documents.json'), '{}');
  await precompress(web, { cache });
  expect(readdirSync(web, { recursive: true }).sort()).toEqual([
    'assets',
    'assets/app.js',
    'assets/app.js.br',
    'assets/app.js.gz',
    'assets/font.woff2',
    'documents.json',
  ]);
  expect(brotliDecompressSync(readFileSync(join(web, 'assets/app.js.br'))).toString()).toBe(text);
  expect(gunzipSync(readFileSync(join(web, 'assets/app.js.gz'))).toString()).toBe(text);
});

it('compresses harder what everybody loads first', async () => {
  writeFileSync(join(web, 'assets/app.js'), text);
  writeFileSync(join(web, 'assets/later.js'), text);
  await precompress(web, { first: ['assets/app.js'], cache });
  const [app, later] = ['app', 'later'].map((name) => readFileSync(join(web, `assets/${name}.js.br`)).length);
  expect(app).toBeLessThan(later);
});

it('takes from its cache what it has compressed before, and makes what has changed', async () => {
  writeFileSync(join(web, 'assets/app.js'), text);
  await precompress(web, { cache });
  for (const name of readdirSync(cache)) writeFileSync(join(cache, name), 'kept');
  writeFileSync(join(web, 'assets/new.js'), `${text}\nnew();`);
  await precompress(web, { cache });
  expect(readFileSync(join(web, 'assets/app.js.br'), 'utf8')).toBe('kept');
  expect(brotliDecompressSync(readFileSync(join(web, 'assets/new.js.br'))).toString()).toContain('new();');
});
