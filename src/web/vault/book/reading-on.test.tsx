// How far a browser has read the book: what it asks for, what it remembers, and what it says of who has written it.
import { expect, test } from 'vitest';
import { listOf } from '../../../vault/book/shown-lists.ts';
import { aDevice, aVaultWith, brought, type Device, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';

const instance = anInstance();
const db = () => instance().deps.db;

/** From which number on a device asks for the book; null where it begins with the last checkpoint. */
function askedOf({ network }: Device): (number | null)[] {
  const asked: (number | null)[] = [];
  network.intercept((request, forward) => {
    const { pathname, searchParams } = new URL(request.url);
    const from = searchParams.get('from');
    if (request.method === 'GET' && pathname === '/api/book') asked.push(from === null ? null : Number(from));
    return forward();
  });
  return asked;
}

test('a page, and the next one in that browser, reads on from where it is', async () => {
  const { one, two } = await twoDevices(instance());
  await one.writeMemory();
  const { n } = one.bookSync.state().head;
  await two.writeMemory();
  const asked = askedOf(one);
  await one.bookSync.look();
  expect(asked).toEqual([n]);
  await one.rest();
  one.reload();
  await two.writeMemory();
  asked.length = 0;
  await one.bookSync.look();
  expect(asked).toEqual([n + 1]);
  expect(one.bookSync.state().head).toEqual(two.bookSync.state().head);
});

test('a page that has read the book writes without asking for it', async () => {
  const { one } = await twoDevices(instance());
  await one.bookSync.look();
  const asked = askedOf(one);
  await one.writeMemory();
  await one.writeMemory();
  expect(asked).toEqual([]);
  one.reload();
  await one.writeMemory();
  expect(asked).toEqual([null]);
});

test('a list is compared with a book that was asked for once', async () => {
  const { one } = await twoDevices(instance());
  const list = listOf('memory', one.vault.api);
  one.reload();
  const asked = askedOf(one);
  one.network.intercept(async (request, forward) =>
    request.method === 'GET' && new URL(request.url).pathname === '/api/book' ? Response.json([]) : forward(),
  );
  await one.bookSync.look();
  const once = asked.length;
  expect(once).toBeGreaterThan(0);
  await one.bookSync.compare(list, []);
  expect(one.bookSync.state().chain).toMatchObject({ kind: 'went-back' });
  expect(asked).toHaveLength(2 * once);
});

test('a browser that has said nothing of a new book is asked until it does', async () => {
  const { one } = await twoDevices(instance());
  one.forget();
  // Nothing is there yet of which it could be said.
  one.bookSync.confirm();
  expect(one.memory.loadPin()).toBeNull();
  for (let i = 0; i < 2; i += 1) {
    await one.bookSync.look();
    await one.writeMemory();
    expect(one.bookSync.state().isNew).toBe(true);
    one.reload();
  }
  one.bookSync.confirm();
  expect(one.bookSync.state().isNew).toBe(false);
});

test('what is remembered of a book that never went back is its place alone', async () => {
  const { one } = await twoDevices(instance());
  one.bookSync.confirm();
  await one.writeMemory();
  const { head, acceptances } = await one.bookSync.look();
  expect(one.memory.loadPin()).toEqual({ ...head, since: expect.any(Number) });
  expect(acceptances).toEqual([]);
});

test('who has accepted a loss is said once in a browser, and in a new one again', async () => {
  const { one, two } = await twoDevices(instance());
  const { n } = one.bookSync.state().head;
  await one.writeMemory('Lost');
  await two.bookSync.look();
  await db().deleteFrom('book_entries').where('n', '>', n).execute();
  await one.bookSync.look();
  await one.bookSync.acceptAsShown();
  expect(one.bookSync.state().acceptances).toEqual([]);
  const accepted = [{ n: n + 1, lost: { n: n + 1 } }];
  expect((await two.bookSync.look()).acceptances).toMatchObject(accepted);
  await two.writeMemory('Afterwards');
  expect((await two.bookSync.look()).acceptances).toMatchObject(accepted);
  for (const device of [one, two]) {
    device.reload();
    expect((await device.bookSync.look()).acceptances).toEqual([]);
  }
  two.forget();
  expect((await two.bookSync.look()).acceptances).toMatchObject(accepted);
});

test('all entries may be lost, and that is accepted as well', async () => {
  const { one, two } = await twoDevices(instance());
  await one.writeMemory();
  await two.bookSync.look();
  const seen = two.bookSync.state().head;
  const own = db().selectFrom('accounts').select('id').where('uid', '=', one.vault.user.id);
  await db().deleteFrom('book_entries').where('account_id', '=', own).execute();
  expect(await one.check()).toEqual(['went-back']);
  await one.bookSync.acceptAsShown();
  expect(await one.check()).toEqual([]);
  expect(one.bookSync.state().head.n).toBe(1);
  expect(await two.check()).toEqual([]);
  expect(two.bookSync.state().acceptances).toMatchObject([{ n: 1, lost: seen }]);
});

test('a new browser accepts a book that it cannot read, and names nothing as lost', async () => {
  const { one, two } = await twoDevices(instance());
  const { n } = one.bookSync.state().head;
  await one.writeMemory();
  await one.writeMemory();
  const own = db().selectFrom('accounts').select('id').where('uid', '=', one.vault.user.id);
  await db()
    .deleteFrom('book_entries')
    .where('account_id', '=', own)
    .where('n', '=', n + 1)
    .execute();
  two.forget();
  expect(await two.check()).toEqual(['unreadable']);
  await two.bookSync.acceptAsShown();
  expect(await two.check()).toEqual([]);
  const [newest] = await two.bookSync.history();
  expect(newest).toMatchObject({ n: n + 3, isCheckpoint: true, abandons: null });
});

test('a browser in which the key was made follows a book that it can read', async () => {
  const { one, two } = await twoDevices(instance());
  await one.writeMemory();
  two.forget();
  two.memory.savePin({ n: 0, hash: '' });
  expect(await two.check()).toEqual([]);
  expect(two.bookSync.state()).toMatchObject({ head: one.bookSync.state().head, isNew: false });
});

test('what a rite takes along is a book that is there and right', async () => {
  const member = await enterAsMember(instance());
  const first = aDevice(instance(), member);
  expect(await first.bookSync.draftUnder(member.key, [])).toBeNull();
  // Nor has it a past that could be asked for, not even by its own number.
  expect(await first.bookSync.history(first.bookSync.state().head.n)).toEqual([]);
  const { devices } = await aVaultWith(instance(), 1);
  const one = devices[0] as Device;
  await one.writeMemory();
  const next = crypto.getRandomValues(new Uint8Array(32));
  const { n } = one.bookSync.state().head;
  expect(await one.bookSync.draftUnder(next, [])).toMatchObject({ n: n + 1 });
  one.network.intercept(async (request, forward) =>
    request.method === 'GET' && new URL(request.url).pathname === '/api/book' ? Response.json([]) : forward(),
  );
  expect(await one.bookSync.draftUnder(next, [])).toBeNull();
  expect(await one.bookSync.history()).toEqual([]);
});

test('a book that another tab has followed further is not read back', async () => {
  const { member, one } = await twoDevices(instance());
  const { row } = await brought(member);
  const tab = aDevice(instance(), member, one.memory);
  await tab.bookSync.look();
  one.bookSync.note([row]);
  await tab.writeMemory('In the other tab');
  await one.rest();
  expect(one.memory.loadNoted()).toEqual([]);
  expect(one.memory.loadPin()).toMatchObject({ n: tab.bookSync.state().head.n + 1 });
});

test('a page that has read further than another tab keeps its own place', async () => {
  const { member, one, two } = await twoDevices(instance());
  await one.bookSync.look();
  const tab = aDevice(instance(), member, one.memory);
  await tab.bookSync.look();
  const stop = one.network.intercept(async (request, forward) => {
    if (request.method !== 'GET' || new URL(request.url).pathname !== '/api/book') return forward();
    stop();
    await tab.writeMemory('In the other tab');
    await two.writeMemory('On the other device');
    return forward();
  });
  const { head } = await one.bookSync.look();
  expect(head).toEqual(two.bookSync.state().head);
  expect(one.memory.loadPin()).toMatchObject(head);
});
