// What is done with a row is shown in its list, also while that list is on its way from a server that has not heard of it.
import { expect, test } from 'vitest';
import { changeRows, dropRow, type ListedVault, type ListStore, putRow, type RowList } from './row-list.ts';

interface Row {
  id: number;
  text: string;
}

/** Lists in memory, each loaded by one call at a time. */
function storeOf(vault: () => ListedVault): ListStore {
  const known = new Map<string, readonly unknown[]>();
  const loading = new Map<string, Promise<readonly unknown[]>>();
  const change: ListStore['change'] = (list, next) => {
    const rows = next(known.get(list.path) as never);
    if (rows) known.set(list.path, rows);
  };
  return {
    rows: (list) => known.get(list.path) as never,
    change,
    async load(list) {
      const under = { signal: new AbortController().signal, show: () => {}, shownAsOf: () => {} };
      const before = loading.get(list.path) ?? list.load(vault(), under);
      loading.set(list.path, before);
      const rows = await before;
      if (loading.delete(list.path)) known.set(list.path, rows);
      return rows as never;
    },
    isLoading: ({ path }) => loading.has(path),
    refresh: async () => {},
  };
}

function setUp(list: Partial<RowList<Row>> = {}) {
  const vault = {} as ListedVault;
  vault.lists = storeOf(() => vault);
  let answer: (rows: Row[]) => void = () => {};
  const rows: RowList<Row> = {
    path: '/rows',
    load: () => new Promise<Row[]>((resolve) => (answer = resolve)),
    ...list,
  };
  const known = () => vault.lists.rows(rows)?.map(({ id, text }) => `${id} ${text}`);
  return { vault, rows, known, answer: (...all: Row[]) => answer(all) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('a row that was not there comes first, one that was is replaced where it stands', async () => {
  const { vault, rows, known, answer } = setUp();
  const loading = vault.lists.load(rows);
  answer({ id: 2, text: 'b' }, { id: 1, text: 'a' });
  await loading;
  putRow(vault, rows, { id: 3, text: 'c' });
  putRow(vault, rows, { id: 1, text: 'A' });
  expect(known()).toEqual(['3 c', '2 b', '1 A']);
  dropRow(vault, rows, 2);
  expect(known()).toEqual(['3 c', '1 A']);
});

test('a list with an order of its own keeps it', async () => {
  const { vault, rows, known, answer } = setUp({ order: (a, b) => (a.text < b.text ? -1 : 1) });
  const loading = vault.lists.load(rows);
  answer({ id: 1, text: 'a' }, { id: 2, text: 'c' });
  await loading;
  putRow(vault, rows, { id: 3, text: 'b' });
  expect(known()).toEqual(['1 a', '3 b', '2 c']);
});

test('a list that nobody has wanted yet stays unknown', () => {
  const { vault, rows, known } = setUp();
  putRow(vault, rows, { id: 1, text: 'a' });
  changeRows(vault, rows, () => []);
  expect(known()).toBeUndefined();
});

test('what was read before a change does not undo it', async () => {
  const { vault, rows, known, answer } = setUp();
  const first = vault.lists.load(rows);
  answer({ id: 1, text: 'a' }, { id: 2, text: 'b' });
  await first;
  const again = vault.lists.load(rows);
  putRow(vault, rows, { id: 3, text: 'new' });
  dropRow(vault, rows, 1);
  expect(known()).toEqual(['3 new', '2 b']);
  // As the server had it before.
  answer({ id: 1, text: 'a' }, { id: 2, text: 'b' });
  await again;
  await settled();
  expect(known()).toEqual(['3 new', '2 b']);
});
