// Whose turn it is among what is due, whatever the order in which it is found.
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { AT_ONCE, decideInTurns } from './in-turns.ts';

interface Scroll {
  id: number;
  account_id: number;
}

const deps = { log: pino({ level: 'silent' }) };

async function* sliced(scrolls: readonly Scroll[], size: number) {
  for (let from = 0; from < scrolls.length; from += size) yield scrolls.slice(from, from + size);
}

/** What one tick decides, in its order. */
async function decidedOf(scrolls: readonly Scroll[], size: number) {
  const decided: Scroll[] = [];
  const { hasMore } = await decideInTurns(deps, sliced(scrolls, size), async (scroll) => {
    decided.push(scroll);
    return true;
  });
  return { decided, hasMore };
}

/** The same by sorting all of them. */
function sorted(scrolls: readonly Scroll[]): Scroll[] {
  const turnOf = (scroll: Scroll, at: number) =>
    scrolls.slice(0, at).filter(({ account_id }) => account_id === scroll.account_id).length;
  return scrolls
    .map((scroll, at) => ({ scroll, turn: turnOf(scroll, at) }))
    .sort((one, other) => one.turn - other.turn)
    .map(({ scroll }) => scroll);
}

/** Authors of whom few have much and many have little. */
const authors = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.nat(2) }, { weight: 2, arbitrary: fc.nat(400) }),
  { maxLength: 3 * AT_ONCE, size: 'max' },
);

it('is one of each author before a second of any, as far as one tick goes', async () => {
  await fc.assert(
    fc.asyncProperty(authors, fc.integer({ min: 1, max: AT_ONCE }), async (accounts, size) => {
      const scrolls = accounts.map((account_id, id) => ({ id, account_id }));
      const { decided, hasMore } = await decidedOf(scrolls, size);
      expect(decided).toEqual(sorted(scrolls).slice(0, AT_ONCE));
      expect(hasMore).toBe(scrolls.length > AT_ONCE);
    }),
    { numRuns: 60 },
  );
});

it('finds the only one of an author behind the very many of another', async () => {
  const many = Array.from({ length: 20_000 }, (_, id) => ({ id, account_id: 1 }));
  const { decided } = await decidedOf([...many, { id: -1, account_id: 2 }], 100);
  expect(decided.slice(0, 2).map(({ id }) => id)).toEqual([0, -1]);
  expect(decided).toHaveLength(AT_ONCE);
});

it('gives others their turn between two slices', async () => {
  const slices = 20;
  const scrolls = Array.from({ length: slices }, (_, id) => ({ id, account_id: id }));
  let turns = 0;
  let isOver = false;
  const another = () => {
    turns += 1;
    if (!isOver) setImmediate(another);
  };
  setImmediate(another);
  await decidedOf(scrolls, 1);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(slices - 1);
});
