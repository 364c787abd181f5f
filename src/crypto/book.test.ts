// The book against servers: an honest one, as far as it takes no long walk (book-walks.test.ts), and one that lies in every
// way that it has.
import { beforeAll, describe, expect, it } from 'vitest';
import { draftAcceptance, draftCheckpoint, followBook, readBook, type ShownEntry } from './book.ts';
import { compareRows, mayHaveEnded, type RowFinding } from './book-comparison.ts';
import { type BookRow, type Ending, rootOf, sealBookEntry } from './book-entry.ts';
import { aRow, DAY, Device, EVERY, forget, KEY, NOW, newLeaf, pinned, Server } from './testing/book-world.ts';
import { generateVaultKey } from './vault-key.ts';

describe('an honest server', () => {
  it('may show what a letterbox has brought, which is taken in by a press', async () => {
    const { server, device } = await aVault();
    const row = aRow();
    server.rows.set(row.sealId, row);
    expect(await device.look(server)).toEqual(['unknown']);
    await device.write(server, () => ({ put: [row] }));
    expect(await device.look(server)).toEqual([]);
  });

  it('goes on under a new key with a checkpoint, which the keys of both read', async () => {
    const { server, device } = await aVault();
    const key = generateVaultKey();
    const author = { device: 'Firefox', at: NOW };
    const sealedAnew = new Map([...device.book.rows].map(([id, row]) => [id, { ...row, leaf: newLeaf() }]));
    const draft = await draftCheckpoint({ ...device.book, rows: sealedAnew }, author, key);
    expect(draft.n).toBe(pinned(device).n + 1);
    const entries = [...server.entries, draft];

    const followed = await followBook(device.book, entries.slice(pinned(device).n - 1), [key, KEY]);
    expect(followed.finding).toBeNull();
    expect(followed.book.rows).toEqual(sealedAnew);
    expect((await readBook([draft], pinned(device), [key])).book.rows).toEqual(sealedAnew);
    expect((await readBook(entries, null, [key, KEY])).book.rows).toEqual(sealedAnew);
    // The old key opens nothing of it, and the new one nothing before it.
    expect((await readBook([draft], null, [KEY])).finding).toEqual({ kind: 'unreadable', n: draft.n });
    expect((await readBook(entries, null, [key])).finding).toEqual({ kind: 'unreadable', n: 1 });
  });
});

/** A vault of two browsers that both have seen all, and what the server was like half-way. */
async function aVault(writes = 12) {
  const server = new Server();
  const [device, other] = [new Device('Firefox on Linux'), new Device('Safari on iPhone')];
  let old = server.copy();
  let then = device.copy();
  for (let i = 0; i < writes; i += 1) {
    const by = i % 3 === 2 ? other : device;
    await by.look(server);
    const [first, second] = by.book.rows.values();
    if (i === writes - 1 && second) await by.write(server, () => ({ removed: [second.sealId] }));
    else if (i % 4 === 3 && first) await by.write(server, () => ({ put: [{ ...first, leaf: newLeaf() }] }));
    else await by.write(server, () => ({ put: [aRow()] }));
    if (i === writes / 2) {
      await device.look(server);
      old = server.copy();
      then = device.copy();
    }
  }
  for (const one of [device, other]) expect(await one.look(server)).toEqual([]);
  return { server, device, other, old, then };
}
type Vault = Awaited<ReturnType<typeof aVault>>;

const oneOf = ({ server }: Vault): BookRow => {
  const [row] = server.rows.values();
  if (!row) throw new Error('a row');
  return row;
};

/** What a server does to a vault, and what a browser that has seen all must say. */
const LIES: [what: string, lie: (vault: Vault) => Promise<unknown> | unknown, found: string[]][] = [
  ['leaves a row out', ({ server }) => server.rows.delete([...server.rows.keys()][1] ?? ''), ['missing']],
  [
    'shows an old version',
    (vault) => {
      const row = [...vault.server.rows.values()].find(({ sealId, leaf }) => {
        const before = vault.old.rows.get(sealId);
        return before && before.leaf !== leaf;
      });
      if (!row) throw new Error('a row that was changed');
      vault.server.rows.set(row.sealId, vault.old.rows.get(row.sealId) as BookRow);
    },
    ['changed'],
  ],
  [
    'alters a row: its lock, its weight, its version, its ciphertext',
    (vault) => vault.server.rows.set(oneOf(vault).sealId, { ...oneOf(vault), leaf: newLeaf() }),
    ['changed'],
  ],
  [
    'swaps the ciphertexts of two rows',
    ({ server }) => {
      const [a, b] = [...server.rows.values()] as [BookRow, BookRow];
      server.rows.set(a.sealId, { ...a, leaf: b.leaf });
      server.rows.set(b.sealId, { ...b, leaf: a.leaf });
    },
    ['changed', 'changed'],
  ],
  [
    'brings back what was removed',
    ({ server, old }) => {
      for (const [sealId, row] of old.rows) if (!server.rows.has(sealId)) server.rows.set(sealId, row);
    },
    ['returned'],
  ],
  [
    'plants a row',
    ({ server }) => server.rows.set('A'.repeat(22), { ...aRow(), sealId: 'A'.repeat(22) }),
    ['unknown'],
  ],
  ['drops the last entries', ({ server }) => server.entries.splice(-3), ['went-back']],
  [
    'drops a row together with its entry',
    ({ server }) => {
      server.entries.pop();
      server.rows.delete([...server.rows.keys()].at(-1) ?? '');
    },
    ['went-back'],
  ],
  ['goes back as a whole', ({ server, old }) => Object.assign(server, old.copy()), ['went-back']],
  [
    'shows an entry twice, in the place of the next',
    ({ server }) =>
      server.entries.push({ ...(server.entries.at(-1) as ShownEntry), n: server.entries.length + 1 }),
    ['unreadable'],
  ],
  [
    'leaves an entry out of its list',
    async ({ server, other }) => {
      await other.write(server, () => ({ put: [aRow()] }));
      await other.write(server, () => ({ put: [aRow()] }));
      server.entries.splice(-2, 1);
    },
    ['unreadable'],
  ],
  [
    'forges an acceptance of what it has lost',
    async (vault) => {
      const stranger = generateVaultKey();
      Object.assign(vault.server, vault.old.copy());
      const author = { device: 'Firefox on Linux', at: NOW };
      const { book } = await readBook(vault.old.entries, null, [KEY]);
      const forged = await draftAcceptance(book, pinned(vault.device), author, stranger);
      vault.server.write(forged, {});
      while (vault.server.entries.length < pinned(vault.device).n)
        vault.server.entries.push({ n: vault.server.entries.length + 1, sealed: forged.sealed });
    },
    ['forked'],
  ],
];

describe('a server that lies', () => {
  it.each(LIES)('%s', async (_, lie, found) => {
    const vault = await aVault();
    const [seen, reloaded] = [vault.device.copy(), vault.device.copy()];
    await lie(vault);
    expect(await seen.look(vault.server)).toEqual(found);
    // A browser that keeps its pin alone finds the same, after a reload.
    const { book, finding } = await forget(reloaded, vault.server);
    const rows = finding
      ? [finding.kind]
      : compareRows(book, EVERY, [...vault.server.rows.values()], NOW).map((one) => one.kind);
    expect(rows).toEqual(found);
  });

  it('keeps two worlds apart, and is caught when it shows one the other’s', async () => {
    const { server, device, other } = await aVault();
    const [mine, theirs] = [server.copy(), server.copy()];
    await device.write(mine, () => ({ put: [aRow()] }));
    await other.write(theirs, () => ({ put: [aRow()] }));
    expect(await device.copy().look(mine)).toEqual([]);
    expect(await device.copy().look(theirs)).toEqual(['forked']);
    await other.write(theirs, () => ({ put: [aRow()] }));
    expect(await device.copy().look(theirs)).toEqual(['forked']);
    expect((await forget(device, theirs)).finding).toEqual({ kind: 'forked', n: pinned(device).n });
    // What follows the pinned entry of one world in the other does not follow it.
    const joined = Object.assign(mine.copy(), { entries: [...mine.entries, ...theirs.entries.slice(-1)] });
    expect(await device.look(joined)).toEqual(['broken']);
  });

  it('changes any byte of any entry', async () => {
    const { server, then } = await aVault();
    for (let at = pinned(then).n; at < server.entries.length; at += 1) {
      const lying = server.copy();
      const { n, sealed } = lying.entries[at] as ShownEntry;
      const letter = sealed[40] === 'A' ? 'B' : 'A';
      lying.entries[at] = { n, sealed: sealed.slice(0, 40) + letter + sealed.slice(41) };
      expect(await then.copy().look(lying)).toEqual(['unreadable']);
    }
  });

  it('tells a new browser what it likes, as long as it once was so', async () => {
    // What nobody can know without having seen more: the screen says so, and shows when it was written last.
    const { old } = await aVault();
    const { finding, entries } = await readBook(old.entries, null, [KEY]);
    expect(finding).toBeNull();
    expect(entries.at(-1)).toMatchObject({ n: old.entries.length, device: expect.any(String), at: NOW });
  });

  it('shows no entry at all, which is a loss to whoever has seen one', async () => {
    const { device } = await aVault();
    const seen = pinned(device);
    expect((await readBook([], seen, [KEY])).finding).toEqual({ kind: 'went-back', seen, shown: 0 });
    expect(await readBook([], null, [KEY])).toMatchObject({ finding: null, book: { head: { n: 0 } } });
  });

  it('begins with an entry in the middle that is no checkpoint', async () => {
    const { server } = await aVault();
    const { finding } = await readBook(server.entries.slice(3), null, [KEY]);
    expect(finding).toEqual({ kind: 'broken', n: 4 });
  });

  it('is no reason for a book that does not lead to its rows', async () => {
    // Only a browser of the vault can write such an entry: by a defect of its own.
    const { server, device, then } = await aVault();
    const { n, hash } = pinned(device);
    const entry = { n: n + 1, previous: hash, put: [aRow()], removed: [], device: 'Firefox', at: NOW };
    const sealed = await sealBookEntry(
      { ...entry, root: await rootOf(device.book.rows), isCheckpoint: false, abandons: null },
      KEY,
    );
    server.entries.push({ n: n + 1, sealed });
    expect(await device.look(server)).toEqual(['wrong-root']);
    expect(pinned(device).n).toBe(n);
    expect(await then.look(server)).toEqual(['wrong-root']);
  });

  it('shows the same row twice, or in the list of another kind', async () => {
    const vault = await aVault();
    const row = oneOf(vault);
    const shown = [...vault.server.rows.values()];
    const found = (rows: BookRow[], kinds = EVERY): RowFinding['kind'][] =>
      compareRows(vault.device.book, kinds, rows, NOW).map(({ kind }) => kind);
    expect(found([...shown, row])).toEqual(['changed']);
    expect(found([...shown, { ...row, leaf: aRow().leaf }])).toEqual(['changed']);
    expect(found([row], new Set(['ghost']))).toEqual(['changed']);
    // What was deleted, and can be restored, stands among what lives.
    const deleted = { ...row, kind: `deleted/${row.kind}` };
    const rows = new Map(vault.device.book.rows).set(row.sealId, deleted);
    const lying = compareRows({ ...vault.device.book, rows }, new Set(['memory', 'ghost']), [row], NOW);
    expect(lying.filter(({ kind }) => kind !== 'missing')).toEqual([
      { kind: 'returned', sealId: row.sealId },
    ]);
  });
});

describe('a checkpoint', () => {
  it('has every row that lives, and forgets none that was removed, whatever was known before', async () => {
    const { server, device, other } = await aVault();
    const [kept] = device.book.rows.values();
    if (!kept) throw new Error('a row');
    const begun = { ...device.book, rows: new Map([[kept.sealId, kept]]) };
    const draft = await draftCheckpoint(begun, { device: 'Firefox', at: NOW }, KEY);
    server.write(draft, {});
    const { book, finding } = await followBook(other.book, server.entries.slice(-2), [KEY]);
    expect(finding).toBeNull();
    expect([...book.rows]).toEqual([[kept.sealId, kept]]);
    expect(book.removed.size).toBeGreaterThan(0);
    expect(book.removed).toEqual(device.book.removed);
  });

  it('is what a book was read from, as its first entry is before', async () => {
    const { server, device } = await aVault();
    await device.write(server, () => ({ put: [aRow()] }), NOW + DAY);
    expect(device.book.since).toEqual({ n: 1, at: NOW });
    const at = NOW + 2 * DAY;
    const draft = await draftCheckpoint(device.book, { device: 'Firefox', at }, KEY);
    expect(draft.next.since).toEqual({ n: draft.n, at });
    server.write(draft, {});
    device.book = draft.next;
    await device.write(server, () => ({ put: [aRow()] }), NOW + 3 * DAY);
    expect(device.book.since).toEqual({ n: draft.n, at });
  });
});

it('knows no more that a row was removed, once it is put back', async () => {
  const { server, device } = await aVault();
  const row = aRow();
  await device.write(server, () => ({ put: [row] }));
  await device.write(server, () => ({ removed: [row.sealId] }));
  expect(device.book.removed.has(row.sealId)).toBe(true);
  await device.write(server, () => ({ put: [row] }));
  expect(device.book.removed.has(row.sealId)).toBe(false);
});

describe('what ends by a rule', () => {
  it.each([
    ['nothing by itself', [], false],
    ['an expiry that has come', [{ by: 'expiry', at: NOW }], true],
    [
      'an expiry that has come by a clock that is ten minutes off',
      [{ by: 'expiry', at: NOW + 600_000 }],
      true,
    ],
    ['no expiry that has not', [{ by: 'expiry', at: NOW + 600_001 }], false],
    ['no last reading: what was read stays in its list', [{ by: 'reading' }], false],
    ['an expiry that has come, whatever else', [{ by: 'reading' }, { by: 'expiry', at: NOW }], true],
  ] satisfies [string, Ending[], boolean][])('%s', async (_, ends, gone) => {
    const row = aRow('ghost', ends);
    expect(mayHaveEnded(row, NOW)).toBe(gone);
    const device = new Device('Firefox');
    const server = new Server();
    await device.write(server, () => ({ put: [row] }));
    server.rows.clear();
    expect(await device.look(server)).toEqual(gone ? [] : ['missing']);
  });

  it.each([
    ['a last reading, where the row itself is shown', [{ by: 'reading' }], []],
    ['nothing else by that', [], ['missing']],
  ] satisfies [string, Ending[], string[]][])('%s', async (_, ends, expected) => {
    const row = aRow('ghost', ends);
    const [device, server] = [new Device('Firefox'), new Server()];
    await device.write(server, () => ({ put: [row] }));
    const shown = [{ sealId: row.sealId, leaf: '', isOver: true }];
    const found = compareRows(device.book, new Set(['ghost']), shown, NOW);
    expect(found.map(({ kind }) => kind)).toEqual(expected);
  });
});

describe('a server that was restored from a backup', () => {
  let vault: Vault;
  beforeAll(async () => {
    vault = await aVault();
  });

  it('is accepted by an entry that says what was lost; other browsers learn who has accepted it', async () => {
    const { old, device, other } = vault;
    const lost = pinned(device);
    expect(await device.look(old)).toEqual(['went-back']);
    const { book } = await readBook(old.entries, null, [KEY]);
    const draft = await draftAcceptance(book, lost, { device: 'Firefox on Linux', at: NOW }, KEY);
    expect(old.write(draft, {})).toBe(true);
    device.book = draft.next;
    expect(await device.look(old)).toEqual([]);

    const { finding } = await followBook(other.book, old.entries.slice(-1), [KEY]);
    expect(finding).toEqual({ kind: 'went-back', seen: lost, shown: old.entries.length });
    const { acceptances } = await readBook(old.entries, null, [KEY]);
    expect(acceptances).toMatchObject([{ device: 'Firefox on Linux', abandons: lost }]);
  });

  it('has what the browser still knows written again', async () => {
    const { old, device, other } = vault;
    const missing = [...other.book.rows.values()].filter(({ sealId }) => !old.rows.has(sealId));
    expect(missing.length).toBeGreaterThan(0);
    await device.write(old, () => ({ put: missing }));
    expect(await device.look(old)).toEqual([]);
  });
});
