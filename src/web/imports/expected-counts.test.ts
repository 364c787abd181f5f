// The table of docs/imports.md is what really becomes of the files it names.
import { expect, test } from 'vitest';
import { type ExpectedCounts, expectedCounts, expectedRefusals } from './testing/expected-counts.ts';
import { fixtures } from './testing/fixtures.ts';
import { fileOf, importing } from './testing/importing.ts';

const fixture = (name: string) => {
  const bytes = fixtures[name];
  if (!bytes) throw new Error(`there is no fixture "${name}"`);
  return importing([fileOf(name, bytes)]);
};

test('every fixture stands in the table', () => {
  const named = [...Object.keys(expectedCounts), ...Object.keys(expectedRefusals)];
  expect(named.toSorted()).toEqual(Object.keys(fixtures).toSorted());
});

test.each(Object.entries(expectedCounts))('%s', async (name, expected) => {
  const { rows, leftOut, sources, refused } = await fixture(name);
  expect(refused).toEqual([]);
  const found: ExpectedCounts = {
    format: sources[0]?.formats[0] ?? 'plain-text',
    memories: rows.length,
    dated: rows.filter(({ happenedOn }) => happenedOn !== null).length,
    tags: rows.reduce((sum, { tags }) => sum + tags.length, 0),
    files: rows.reduce((sum, { files }) => sum + files.length, 0),
    leftOut,
  };
  expect(found).toEqual(expected);
});

test('what is refused says why', async () => {
  for (const [name, why] of Object.entries(expectedRefusals))
    expect((await fixture(name)).refused, name).toEqual([{ name, ...why }]);
});
