// Which lies are told together.
import { expect, test } from 'vitest';
import { pairsOf, type Told } from './telling.ts';

const lie = (call: string, path: string, kind: Told['kind'] = 'null', wellFormed = true): Told => ({
  ...{ call, path, kind, lie: null, wellFormed },
  tampering: { call, change: (body, status) => ({ body, status }) },
});
const some = ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => lie('memories.list', `[].${path}`));

test('pairs are the same each time, four at most, and no lie is in two of them', () => {
  const pairs = pairsOf('reading', [...some, ...some.map(({ path }) => lie('book.list', path))]);
  expect(pairs).toHaveLength(4);
  expect(new Set(pairs.flatMap(({ tamperings = [] }) => tamperings)).size).toBe(8);
  expect(pairs.map(({ kind }) => kind)).toEqual(['two', 'two', 'two', 'two']);
  const again = pairsOf('reading', [...some, ...some.map(({ path }) => lie('book.list', path))]);
  expect(again.map(({ path }) => path)).toEqual(pairs.map(({ path }) => path));
});

test('no pair is of one place and of what is in it, of what no contract takes, or of silence', () => {
  expect(pairsOf('reading', [lie('memories.list', ''), lie('memories.list', '[].a')])).toEqual([]);
  expect(pairsOf('reading', [...some.slice(0, 1), lie('book.list', 'n', 'null', false)])).toEqual([]);
  expect(pairsOf('reading', [...some.slice(0, 1), lie('book.list', '', 'silence')])).toEqual([]);
});
