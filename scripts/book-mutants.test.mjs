// The mutants themselves run by hand; that there are some in each file, and tests to notice them, is seen here.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mutantsOf, SUBJECTS } from './book-mutants.mjs';

test.each(Object.entries(SUBJECTS))('checks can be taken out of %s, each by itself', (path, { files }) => {
  const all = mutantsOf(path);
  expect(all.length).toBeGreaterThanOrEqual(10);
  expect(new Set(all.map(({ start, end, instead }) => `${start} ${end} ${instead}`)).size).toBe(all.length);
  for (const file of files)
    expect(existsSync(fileURLToPath(new URL(`../${file}`, import.meta.url))), file).toBe(true);
});
