// A browser that was offline for three hundred changes, and comes back to a server that lies: the book finds every lie as it does from one
// visit to the next. Each lie is told wherever its rows are answered, among the changes and in whole lists.
import { beforeAll, expect, test, vi } from 'vitest';
import type { SealedBookEntry } from '../../../shared/nouns/book.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import type { ChangesReply } from '../../../testing/changes.ts';
import { memoryKind } from '../../../vault/kinds/memory.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { keptListOf } from '../../../vault/replica/kept-list.ts';
import { aVaultWith, type Device, memoriesOf } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { type BlocksInMemory, blocksInMemory } from '../../testing/kept-blocks.ts';

const instance = anInstance();
const list = entryListOf(memoryKind);
const CHANGES = 300;

interface Away {
  /** How far the book was when the browsers left. */
  left: number;
  /** One of which there is a newer version, as it was. */
  older: Memory;
  /** One that was erased meanwhile, as it was. */
  erased: Memory;
}

/** What a server shows in the place of what it has. */
interface Lie {
  rows?(rows: Memory[], away: Away): Memory[];
  book?(entries: SealedBookEntry[], away: Away): SealedBookEntry[];
}

const LIES: [name: string, lie: Lie, found: string[]][] = [
  ['tells the truth', {}, []],
  [
    'leaves out one that was written meanwhile',
    { rows: (rows) => rows.filter(({ id }) => id !== Math.max(...rows.map((row) => row.id))) },
    ['missing'],
  ],
  [
    'shows an older version, under the newer number',
    {
      rows: (rows, { older }) =>
        rows.map((row) => (row.id === older.id ? { ...older, version: row.version } : row)),
    },
    ['changed'],
  ],
  [
    'brings back what was erased',
    { rows: (rows, { erased }) => [...rows, erased].sort((a, b) => b.id - a.id) },
    ['returned'],
  ],
  [
    'goes back behind what the browser has seen',
    { book: (entries, { left }) => entries.filter(({ n }) => n < left) },
    ['went-back'],
  ],
  [
    'leaves an entry out of the middle of its book',
    { book: (entries, { left }) => entries.filter(({ n }) => n !== left + CHANGES / 2) },
    ['unreadable'],
  ],
];

/** As a page has it that keeps its lists, with a book of its own. */
function keepLists(device: Device, blocks: BlocksInMemory): void {
  device.vault.keepsLists = () => true;
  device.vault.loadBlocks = async () => blocks;
  device.vault.loadBook = async () => device.bookSync;
}

async function visit(device: Device, blocks: BlocksInMemory): Promise<(string | null)[]> {
  device.reload();
  keepLists(device, blocks);
  const shown = await device.vault.lists.load(list);
  await (await keptListOf(memoryKind, device.vault)).settled();
  await device.network.idle();
  return shown.map(({ name }) => name).sort();
}

/** Answers a lie wherever memories or entries of the book are answered. */
function tell(device: Device, { rows = (all) => all, book = (all) => all }: Lie, away: Away): void {
  device.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'GET' || !answer.ok) return answer;
    const { headers } = answer;
    const { pathname } = new URL(request.url);
    if (pathname === memoryKind.path)
      return Response.json(rows((await answer.json()) as Memory[], away), { headers });
    if (pathname === '/api/book')
      return Response.json(book((await answer.json()) as SealedBookEntry[], away), { headers });
    if (pathname !== '/api/changes') return answer;
    const reply = (await answer.json()) as ChangesReply;
    const isMemory = (change: ChangesReply['changes'][0]) => change.kind === 'memory' && 'row' in change;
    const told = reply.changes.filter(isMemory).map((change) => (change as unknown as { row: Memory }).row);
    const bent = rows(told, away).map((row) => ({ n: 1, kind: 'memory', row }));
    // What is shown is not said to be gone.
    const isTold = (change: ChangesReply['changes'][0]) =>
      'ended' in change && bent.some(({ row }) => row.sealId === change.ended.sealId);
    const others = reply.changes.filter((change) => !isMemory(change) && !isTold(change));
    const changes = [...others, ...bent];
    const entries = reply.book && { ...reply.book, entries: book(reply.book.entries, away) };
    return Response.json({ ...reply, changes, book: entries }, { headers });
  });
}

let browsers: { device: Device; blocks: BlocksInMemory }[];
let away: Away;
let titles: (string | null)[];

beforeAll(async () => {
  const { devices } = await aVaultWith(instance(), LIES.length + 1);
  const [other, ...others] = devices as [Device, ...Device[]];
  browsers = others.map((device) => ({ device, blocks: blocksInMemory() }));
  const before = [];
  for (let i = 0; i < 20; i += 1) before.push(await other.writeMemory(`Before ${i}`));
  for (const { device, blocks } of browsers) {
    await visit(device, blocks);
    expect(await device.check()).toEqual([]);
    device.network.cut();
  }
  const [older, erased] = before as [Memory, Memory];
  away = { left: other.bookSync.state().head.n, older, erased };

  let last = await other.changeMemory(older, 'After');
  await other.deleteMemory(erased);
  await other.eraseMemory(erased);
  for (let i = 3; i < CHANGES; i += 1)
    last = i % 3 === 0 ? await other.writeMemory(`Since ${i}`) : await other.changeMemory(last, `Since ${i}`);
  expect(other.bookSync.state().head.n).toBe(away.left + CHANGES);
  titles = (await memoriesOf(other)).map(({ title }) => title);
}, 120_000);

test.each(LIES.map(([name, lie, found], i) => ({ name, lie, found, i })))(
  'a server that $name, to a browser that was away for 300 changes',
  async ({ lie, found, i }) => {
    const browser = browsers[i];
    if (!browser) throw new Error('there are as many browsers as lies');
    const { device, blocks } = browser;
    device.network.cut(false);
    tell(device, lie, away);
    const shown = await visit(device, blocks);
    if (found.length === 0) expect(shown).toHaveLength(titles.length);
    const findings = () => {
      const { chain, rows } = device.bookSync.state();
      return chain ? [chain.kind] : rows.map(({ what }) => what);
    };
    // A book that is wrong is found by the visit itself, and a row by a look at each list at the latest.
    if (lie.book) await vi.waitFor(() => expect(findings()).toEqual(found), 20_000);
    else await vi.waitFor(async () => expect(await device.check()).toEqual(found), 20_000);
  },
);
