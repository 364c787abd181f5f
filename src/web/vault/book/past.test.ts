import { expect, test } from 'vitest';
import type { BookRow } from '../../../crypto/book-entry.ts';
import type { PastEntry } from '../../../crypto/book-history.ts';
import { pastChanges, rowPasts } from './past.ts';

const row = (sealId: string, kind = 'memory', leaf = ''): BookRow => ({ sealId, kind, leaf, ends: [] });

function entry(n: number, more: Partial<PastEntry>): PastEntry {
  return {
    ...{ n, hash: '', previous: '', put: [], removed: [], root: '', device: `device ${n}`, at: n * 1_000 },
    ...{ isCheckpoint: false, abandons: null },
    ...more,
  };
}

/** As `history` gives them: the newest first. */
const past = [
  entry(1, { put: [row('a'), row('b'), row('g', 'ghost')] }),
  entry(2, { put: [row('a', 'memory', 'second')], removed: ['g'] }),
  entry(3, { put: [row('b', 'deleted/memory')] }),
  entry(4, { put: [row('a'), row('b', 'deleted/memory'), row('old')], isCheckpoint: true }),
  entry(5, { put: [row('b')] }),
  entry(6, { removed: ['a', 'nobody knows'] }),
  entry(7, { put: [row('b')], isCheckpoint: true, abandons: { n: 9, hash: '' } }),
  entry(8, {}),
].reverse();

test('each change says what it has done, by kind', () => {
  expect(pastChanges(past).map(({ n, what }) => [n, what])).toEqual([
    [8, 'Sealed what had arrived from outside'],
    [7, 'Accepted what the server had then'],
    [6, 'Removed 1 memory, removed 1 entry'],
    [5, 'Restored 1 memory'],
    [4, 'Summed up everything: 3 entries'],
    [3, 'Deleted 1 memory'],
    [2, 'Changed 1 memory, removed 1 ghost thought'],
    [1, 'Wrote 2 memories, wrote 1 ghost thought'],
  ]);
});

test('each row knows who has written it last and who has taken it away, and a summary only what nobody else says', () => {
  const rows = rowPasts(past);
  expect(rows.get('a')).toEqual({
    written: { at: 2_000, device: 'device 2' },
    removed: { at: 6_000, device: 'device 6' },
  });
  expect(rows.get('b')).toEqual({
    written: { at: 5_000, device: 'device 5' },
    removed: { at: 3_000, device: 'device 3' },
  });
  expect(rows.get('old')).toEqual({ written: { at: 4_000, device: 'device 4', isSummary: true } });
  expect(rows.get('g')?.removed).toEqual({ at: 2_000, device: 'device 2' });
});

test("what an entry says of earlier versions, behind which it names a row as it stood, is nobody's change", () => {
  const taken = [
    entry(1, { put: [row('a', 'memory', 'third')] }),
    entry(2, { put: [row('a', 'memory', 'second'), row('a', 'memory', 'third')] }),
    entry(3, { put: [row('a', 'memory', 'fourth'), row('a', 'memory', 'fifth')] }),
  ];
  expect(pastChanges([...taken].reverse()).map(({ what }) => what)).toEqual([
    'Changed 1 memory',
    'Took in what had been changed before',
    'Wrote 1 memory',
  ]);
  expect(rowPasts(taken.slice(0, 2).reverse()).get('a')?.written).toEqual({ at: 1_000, device: 'device 1' });
});
