import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LONGEST, longestFirst } from './longest-first.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [first = '', second = ''] = LONGEST;
const file = (path, name) => ({ moduleId: join('/house', path), project: { name } });

it('begins each project with what takes longest, and leaves the rest and the projects as they were', () => {
  const files = [
    file('b.test.ts', 'server'),
    file(second, 'server'),
    file('a.test.ts', 'server'),
    file(first, 'server'),
    file('c.test.ts', 'web'),
    file(first, 'web'),
  ];
  const [b, two, a, one, c, webs] = files;
  expect(longestFirst(files, '/house')).toEqual([one, two, b, a, webs, c]);
});

it('knows files that are there, each once', () => {
  expect(LONGEST.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});
