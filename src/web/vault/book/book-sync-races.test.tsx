// What a browser's book must bear: other devices at the worst moment, another tab, a server that answers nonsense, and one
// that goes back a second time.
import { describe, expect, it, test, vi } from 'vitest';
import type { SealedBookEntry } from '../../../shared/nouns/book.ts';
import { beginResealing, changeKey, openSettings, writeNewWords } from '../../testing/another-key.ts';
import { aDevice, brought, memoriesOf, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Network } from '../../testing/network.ts';
import { stretchLightly } from '../../testing/workers.ts';
import { keepKey, loadKey } from '../device/key-slot.ts';

stretchLightly();
const instance = anInstance();

const isBook = (request: Request) =>
  request.method === 'GET' && new URL(request.url).pathname === '/api/book';

/** Answers this to whoever reads the book. */
const answerBook = (
  network: Network,
  answer: (request: Request, forward: () => Promise<Response>) => unknown,
) =>
  network.intercept(async (request, forward) =>
    isBook(request) ? (answer(request, forward) as Response) : forward(),
  );

describe('a row that was brought without an entry', () => {
  it('may be deleted before it is taken in, here or on another device', async () => {
    const { member, one, two } = await twoDevices(instance());
    const [mine, theirs] = [await brought(member), await brought(member)];
    one.bookSync.note([mine.row, theirs.row]);
    await one.deleteMemory(mine.memory);
    await two.deleteMemory(theirs.memory);
    await one.rest();
    expect(one.memory.loadNoted()).toEqual([]);
    for (const device of [one, two, one]) expect(await device.check()).toEqual([]);
  });

  it('may be erased on another device while it is being taken in', async () => {
    const { member, one, two } = await twoDevices(instance());
    const { memory, row } = await brought(member);
    one.bookSync.note([row]);
    let isFirst = true;
    one.network.intercept(async (request, forward) => {
      if (isFirst && request.method === 'POST' && request.url.endsWith('/api/book')) {
        isFirst = false;
        await two.deleteMemory(memory);
        await two.eraseMemory(memory);
      }
      return forward();
    });
    await one.rest();
    for (const device of [one, two]) expect(await device.check()).toEqual([]);
  });

  it('is found to be deleted by a program without a book', async () => {
    const { member, one } = await twoDevices(instance());
    const { row } = await brought(member);
    one.bookSync.note([row]);
    one.reload();
    await member.call('DELETE', `/api/memory-entries/${(await memoriesOf(one))[0]?.id}`);
    expect(await one.check()).toEqual(['changed']);
    expect(one.found()).toMatchObject([{ shown: { kind: 'deleted/memory' } }]);
  });
});

test('a row that another device has just taken in is restored, deleted and erased by one that does not know', async () => {
  const { member, one, two } = await twoDevices(instance());
  const { memory } = await brought(member);
  await member.call('DELETE', `/api/memory-entries/${memory.id}`);
  for (const act of [two.restoreMemory, two.deleteMemory, two.eraseMemory]) {
    await one.check();
    await one.bookSync.adopt(one.found());
    await act(memory);
    expect(await one.check()).toEqual([]);
  }
  expect(await two.check()).toEqual([]);
});

test('a loss that was accepted stands for no other loss', async () => {
  const { one, two } = await twoDevices(instance());
  const { db } = instance().deps;
  const backTo = (n: number) => db.deleteFrom('book_entries').where('n', '>', n).execute();
  const { n } = one.bookSync.state().head;
  for (let i = 0; i < 6; i += 1) await one.writeMemory(`Lost ${i}`);
  await two.check();
  await backTo(n);
  expect(await one.check()).toEqual(['went-back']);
  await one.bookSync.acceptAsShown();
  expect(await two.check()).toEqual([]);
  await one.writeMemory('Afterwards');
  await one.writeMemory('And this');
  expect(await two.check()).toEqual([]);
  // The number that was reached before is still higher than any that there is now.
  await backTo(n + 2);
  for (const device of [one, two]) {
    expect(await device.check()).toEqual(['went-back']);
    device.reload();
    expect(await device.check()).toEqual(['went-back']);
  }
});

test('a loss that was accepted by a device which had seen less is still a loss to one that had seen more', async () => {
  const { one, two } = await twoDevices(instance());
  const { n } = one.bookSync.state().head;
  await one.writeMemory('Lost');
  await two.writeMemory('Seen by one device alone');
  await instance().deps.db.deleteFrom('book_entries').where('n', '>', n).execute();
  expect(await one.check()).toEqual(['went-back']);
  await one.bookSync.acceptAsShown();
  expect(await one.check()).toEqual([]);
  expect(await two.check()).toEqual(['went-back']);
});

test('whoever has said that the book is the newest is not asked again', async () => {
  const { one } = await twoDevices(instance());
  await one.writeMemory();
  one.forget();
  await one.bookSync.look();
  expect(one.bookSync.state().isNew).toBe(true);
  one.bookSync.confirm();
  await one.writeMemory();
  await one.bookSync.look();
  expect(one.bookSync.state().isNew).toBe(false);
});

test('a page that reads slowly puts no older place in the place of what another tab has seen', async () => {
  const { member, one } = await twoDevices(instance());
  const tab = aDevice(instance(), member, one.memory);
  await tab.check();
  const stop = answerBook(one.network, async (_, forward) => {
    const answer = await forward();
    await tab.writeMemory('In the other tab');
    return answer;
  });
  await one.bookSync.look();
  stop();
  expect(one.memory.loadPin()).toMatchObject(tab.bookSync.state().head);
  expect(await one.check()).toEqual([]);
});

test('a page under the key before finds nothing, and what it writes is refused as ever', async () => {
  const { member, one } = await twoDevices(instance());
  const old = loadKey(member.user.id) ?? '';
  await openSettings(member.browser);
  await beginResealing(member.browser);
  await writeNewWords(member.browser);
  await changeKey(member);
  const anew = loadKey(member.user.id) ?? '';
  // Another browser, which still has the old key in its slot.
  keepKey(member.user.id, old);
  await one.check();
  expect(one.bookSync.state()).toMatchObject({ chain: null, rows: [] });
  await expect(one.writeMemory()).rejects.toMatchObject({ code: 'key-changed' });
  one.reload();
  await one.check();
  expect(one.bookSync.state()).toMatchObject({ chain: null, rows: [] });
  await expect(one.writeMemory()).rejects.toMatchObject({ code: 'key-changed' });
  keepKey(member.user.id, anew);
});

test('nothing is taken in while the book itself is wrong', async () => {
  const { member, one } = await twoDevices(instance());
  await brought(member);
  expect(await one.check()).toEqual(['unknown']);
  const found = one.found();
  const sent = vi.fn();
  one.network.intercept((request, forward) => {
    if (request.method === 'POST' && request.url.endsWith('/api/book')) sent();
    return forward();
  });
  answerBook(one.network, () => Response.json([]));
  await one.bookSync.adopt(found);
  expect(one.bookSync.state().chain).toMatchObject({ kind: 'went-back' });
  expect(sent).not.toHaveBeenCalled();
});

test('what another device writes while a loss is accepted is in the book, or the acceptance is tried again', async () => {
  const { one, two } = await twoDevices(instance());
  const { n } = one.bookSync.state().head;
  await one.writeMemory('Lost');
  await instance().deps.db.deleteFrom('book_entries').where('n', '>', n).execute();
  two.forget();
  let isWritten = false;
  const stop = one.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (isWritten || request.method !== 'GET' || !request.url.includes('/api/memory-entries')) return answer;
    isWritten = true;
    await two.writeMemory('Just now');
    return answer;
  });
  await expect(one.bookSync.acceptAsShown()).rejects.toMatchObject({ code: 'book-moved' });
  stop();
  await one.bookSync.acceptAsShown();
  expect(await one.check()).toEqual([]);
  expect(await two.check()).toEqual([]);
});

test('the account’s activity has a word of what was found, once, and none where nothing was', async () => {
  const { member, one } = await twoDevices(instance());
  const told: string[] = [];
  one.network.intercept(async (request, forward) => {
    if (request.url.endsWith('/api/book/findings'))
      told.push(((await request.clone().json()) as { kind: string }).kind);
    return forward();
  });
  await one.writeMemory('Kept');
  await brought(member);
  expect(await one.check()).toEqual(['unknown']);
  expect(told).toEqual([]);
  const noRows = one.network.intercept(async (request, forward) =>
    request.method === 'GET' && new URL(request.url).pathname === '/api/memory-entries'
      ? Response.json([])
      : forward(),
  );
  for (let i = 0; i < 2; i += 1) expect(await one.check()).toEqual(['missing']);
  await one.network.idle();
  expect(told).toEqual(['other-rows']);
  const stop = answerBook(one.network, () => Response.json([]));
  // Nothing is said of single rows by a book that is wrong itself.
  expect(await one.bookSync.look()).toMatchObject({ chain: { kind: 'went-back' }, rows: [] });
  for (let i = 0; i < 2; i += 1) expect(await one.check()).toEqual(['went-back']);
  stop();
  answerBook(one.network, () => Response.json([1]));
  expect(await one.check()).toEqual(['unreadable']);
  await one.network.idle();
  expect(told).toEqual(['other-rows', 'went-back', 'other-history']);
  noRows();
});

describe('a server that answers nonsense to whoever reads the book', () => {
  const entries = async (forward: () => Promise<Response>) =>
    (await (await forward()).json()) as SealedBookEntry[];
  const MORE = { headers: { link: '</api/book>; rel="next"' } };
  type Answer = (forward: () => Promise<Response>, from: number | null) => Promise<Response> | Response;

  const nonsense: [string, string | null, Answer][] = [
    [
      'in the wrong order',
      'unreadable',
      async (forward) => Response.json((await entries(forward)).reverse()),
    ],
    [
      'with a gap',
      'unreadable',
      async (forward) =>
        Response.json((await entries(forward)).filter((_, i, { length }) => i !== length - 2)),
    ],
    [
      'with each entry twice',
      'unreadable',
      async (forward) => Response.json((await entries(forward)).flatMap((entry) => [entry, entry])),
    ],
    [
      'with the largest number',
      'unreadable',
      async (forward) => Response.json([...(await entries(forward)), { n: 2 ** 31 - 1, sealed: 'AAAA' }]),
    ],
    [
      'with a number that is none',
      'unreadable',
      async (forward) => Response.json([...(await entries(forward)), { n: 2 ** 31, sealed: 'AAAA' }]),
    ],
    [
      'with a megabyte of junk behind it',
      'unreadable',
      async (forward) => {
        const all = await entries(forward);
        return Response.json([...all, { n: (all.at(-1)?.n ?? 0) + 1, sealed: 'A'.repeat(2 ** 20) }]);
      },
    ],
    ['of another shape', 'unreadable', () => Response.json({ entries: [] })],
    ['of numbers', 'unreadable', () => Response.json([1, 2, 3])],
    ['null', 'unreadable', () => Response.json(null)],
    ['that is no JSON, as a login page of a network', null, () => new Response('<!doctype html><p>Pay')],
    ['with a fault', null, () => new Response('', { status: 500 })],
    ['that ends at once', null, () => Response.error()],
    [
      'that goes on for ever with new numbers',
      'unreadable',
      // Whoever believes it for ever is not read by this test for ever.
      (_, from) =>
        (from ?? 1) > 1_500
          ? new Response('', { status: 500 })
          : Response.json([{ n: from ?? 1, sealed: 'AAAA' }], MORE),
    ],
    [
      'that goes on for ever with the same',
      'unreadable',
      () => Response.json([{ n: 1, sealed: 'AAAA' }], MORE),
    ],
    ['of nothing, and says that there is more', 'went-back', () => Response.json([], MORE)],
    [
      'that goes on for ever with what is right',
      null,
      async (forward) => Response.json(await entries(forward), MORE),
    ],
  ];

  it.each(nonsense)('%s: it is %s', async (_, kind, answer) => {
    const { one } = await twoDevices(instance());
    for (const title of ['One', 'Two', 'Three']) await one.writeMemory(title);
    one.reload();
    const stop = answerBook(one.network, ({ url }, forward) => {
      const from = new URL(url).searchParams.get('from');
      return answer(forward, from === null ? null : Number(from));
    });
    await one.check();
    const { chain, rows } = one.bookSync.state();
    expect({ kind: chain?.kind ?? null, rows }).toEqual({
      kind: kind === null ? null : expect.any(String),
      rows: [],
    });
    // What is typed is kept where the server takes it, and fails like any other call where it cannot be reached.
    const written = await one.writeMemory('Typed').then(
      () => true,
      () => false,
    );
    if (kind !== null) expect(written).toBe(true);
    stop();
    expect(await one.check()).toEqual([]);
    expect(await memoriesOf(one)).toHaveLength(written ? 4 : 3);
  });
});
