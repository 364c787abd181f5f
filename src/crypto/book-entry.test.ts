import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fromBase64, toBase64, toBase64Url } from './base64.ts';
import {
  type BookEntry,
  type Ending,
  hashOfEntry,
  NO_ENTRY,
  openBookEntry,
  rootOf,
  sealBookEntry,
} from './book-entry.ts';
import { OpenError, SealError } from './errors.ts';
import {
  bookEntryAs,
  bookHashAs,
  bookRootAs,
  openBookEntryAs,
  type ReferenceBookEntry,
} from './testing/reference.ts';
import { generateVaultKey, vaultKeyFromHex } from './vault-key.ts';
import vectors from './vectors/book-entry.json';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toBase64Url);
const ending: fc.Arbitrary<Ending> = fc.oneof(
  fc.record({ by: fc.constant('expiry' as const), at: fc.nat() }),
  fc.record({ by: fc.constant('reading' as const) }),
);
const row = fc.record({
  sealId: bytes(16),
  kind: fc.string({ unit: 'grapheme' }),
  leaf: bytes(32),
  ends: fc.array(ending, { maxLength: 3 }),
  versionNumber: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
});
const anEntry: fc.Arbitrary<BookEntry> = fc.record({
  n: fc.integer({ min: 1, max: 1_000_000 }),
  previous: bytes(32),
  put: fc.array(row, { maxLength: 4 }),
  removed: fc.array(bytes(16), { maxLength: 3 }),
  root: bytes(32),
  device: fc.string({ unit: 'grapheme' }),
  at: fc.nat(),
  isCheckpoint: fc.boolean(),
  abandons: fc.option(fc.record({ n: fc.integer({ min: 1 }), hash: bytes(32) })),
});

/** What the second implementation reads, in the names of this one. */
const named = (n: number, { p, r, d, t, put = [], del = [], all, lost }: ReferenceBookEntry): BookEntry => ({
  n,
  previous: p,
  put: put.map(([sealId, kind, leaf, ...rest]) => ({
    ...{ sealId, kind, leaf, versionNumber: rest.find((one) => Array.isArray(one))?.[0] },
    ends: rest.flatMap((end) =>
      Array.isArray(end)
        ? []
        : ((typeof end === 'number' ? { by: 'expiry', at: end } : { by: end }) as Ending),
    ),
  })),
  removed: del,
  root: r,
  device: d,
  at: t,
  isCheckpoint: all ?? false,
  abandons: lost ? { n: lost[0], hash: lost[1] } : null,
});

test('the frozen entries open, have their hashes, and follow one another', async () => {
  let before = NO_ENTRY;
  for (const { key, n, entry, sealed, hash } of vectors) {
    const opened = await openBookEntry(sealed, n, vaultKeyFromHex(key));
    expect(opened).toEqual(named(n, entry as unknown as ReferenceBookEntry));
    expect(opened.previous).toBe(before);
    expect(await hashOfEntry(sealed)).toBe(hash);
    before = hash;
  }
});

test('two implementations read each other', async () => {
  const key = generateVaultKey();
  await fc.assert(
    fc.asyncProperty(anEntry, fc.uint8Array({ minLength: 12, maxLength: 12 }), async (entry, iv) => {
      const sealed = await sealBookEntry(entry, key);
      const read = openBookEntryAs(sealed, entry.n, key);
      expect(named(entry.n, read)).toEqual(entry);
      const theirs = bookEntryAs(read, entry.n, key, iv);
      expect(await openBookEntry(theirs, entry.n, key)).toEqual(entry);
      expect(await hashOfEntry(sealed)).toBe(bookHashAs(sealed));
    }),
    { numRuns: 60 },
  );
});

test('two implementations have the same root, in whichever order rows came', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(bytes(16), bytes(32)), { maxLength: 30 }), async (pairs) => {
      const rows = new Map(pairs.map(([sealId, leaf]) => [sealId, { leaf }]));
      expect(await rootOf(rows)).toBe(bookRootAs(Object.fromEntries(pairs)));
      expect(await rootOf(new Map([...rows].reverse()))).toBe(await rootOf(rows));
    }),
    { numRuns: 60 },
  );
});

describe('an entry does not open', () => {
  const [first] = vectors;
  if (!first) throw new Error('a vector');
  const [key, { sealed }] = [vaultKeyFromHex(first.key), first];
  const fails = (text: string, n = 1, by: Uint8Array = key) =>
    expect(openBookEntry(text, n, by)).rejects.toThrow(new OpenError());

  it('with any byte changed', async () => {
    const whole = fromBase64(sealed);
    for (let at = 0; at < whole.length; at += 1) {
      const bent = new Uint8Array(whole);
      bent[at] = (bent[at] ?? 0) ^ 1;
      await fails(toBase64(bent));
    }
  });

  it('as another one, under another key, cut short, or where it is none', async () => {
    await fails(sealed, 2);
    await fails(sealed, 1, generateVaultKey());
    for (const text of ['', '!', sealed.slice(4), sealed.slice(0, -4), `${sealed}AAAA`]) await fails(text);
  });

  it.each([
    ['with a member that this version does not know', { more: 1 }],
    ['with an ending that nobody declared', { put: [['A'.repeat(22), 'memory', NO_ENTRY, 'whim']] }],
    ['with a version of no number', { put: [['A'.repeat(22), 'memory', NO_ENTRY, []]] }],
    ['with a version before the first', { put: [['A'.repeat(22), 'memory', NO_ENTRY, [0]]] }],
    ['with two versions of one leaf', { put: [['A'.repeat(22), 'memory', NO_ENTRY, [1], [2]]] }],
    ['with a version behind an ending', { put: [['A'.repeat(22), 'memory', NO_ENTRY, 'reading', [1]]] }],
    ['with a short root', { r: 'AA' }],
    ['with a fraction for a time', { t: 0.5 }],
    ['with nothing before it', { p: null }],
    ['with a row that is none', { put: [null] }],
    ['with a loss of nothing', { lost: [0, NO_ENTRY] }],
    ['with a loss under a short hash', { lost: [1, 'AA'] }],
    ['with a row of a short number', { put: [['AA', 'memory', NO_ENTRY]] }],
    ['that is a checkpoint only nearly', { all: 1 }],
  ])('%s', async (_, odd) => {
    const entry = { p: NO_ENTRY, r: NO_ENTRY, d: 'Firefox', t: 1, ...odd } as ReferenceBookEntry;
    await fails(bookEntryAs(entry, 1, key, new Uint8Array(12)));
  });

  it('when it is no JSON, or has another spelling', async () => {
    const spelled = { t: 1, p: NO_ENTRY, r: NO_ENTRY, d: 'Firefox' };
    await fails(bookEntryAs(spelled, 1, key, new Uint8Array(12)));
    await fails(bookEntryAs('' as unknown as ReferenceBookEntry, 1, key, new Uint8Array(12)));
  });
});

describe('an entry is not sealed', () => {
  const whole: BookEntry = {
    n: 1,
    previous: NO_ENTRY,
    put: [],
    removed: [],
    root: NO_ENTRY,
    device: '',
    at: 0,
    isCheckpoint: false,
    abandons: null,
  };
  it.each<[string, Partial<BookEntry>]>([
    ['without a number', { n: 0 }],
    ['at no time', { at: Number.NaN }],
    ['after no hash', { previous: 'x' }],
    ['with a number of another length', { removed: ['AA'] }],
    [
      'with a leaf of another length',
      { put: [{ sealId: 'A'.repeat(22), kind: 'memory', leaf: 'AA', ends: [] }] },
    ],
  ])('%s', async (_, part) => {
    const key = generateVaultKey();
    await expect(sealBookEntry({ ...whole, ...part }, key)).rejects.toThrow(new SealError());
    await expect(sealBookEntry(whole, key.subarray(1))).rejects.toThrow(new SealError());
  });

  it('the same way twice', async () => {
    const key = generateVaultKey();
    expect(await sealBookEntry(whole, key)).not.toBe(await sealBookEntry(whole, key));
  });
});
