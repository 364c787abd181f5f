// Where what keeps a book gives up and goes on without: a book that is full or written by others all the time, a change
// that is too long, an answer that was lost, a book that is kept back.
import { describe, expect, it, test, vi } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import type { SealedBookEntry } from '../../../shared/nouns/book.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { DAY } from '../../../shared/time.ts';
import { everyList, listOf } from '../../../vault/book/shown-lists.ts';
import { aVaultWith, brought, type Device, memoriesOf, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { keepKey, loadKey, lockKey } from '../device/key-slot.ts';

const instance = anInstance();
const BOOK = '/api/book';
const MEMORIES = '/api/memory-entries';

const refusal = (code: string, status = 409) => Response.json({ code, message: 'No.' }, { status });

/** Answers the first so many of these calls instead of the server. Returns how to take that away. */
const answerFirst = ({ network }: Device, call: string, answer: () => Response, times = 1): (() => void) => {
  let left = times;
  return network.intercept(async (request, forward) => {
    if (`${request.method} ${new URL(request.url).pathname}` !== call || left === 0) return forward();
    left -= 1;
    return answer();
  });
};

/** How often each of these calls was made since. */
function counting({ network }: Device, ...calls: string[]): () => number[] {
  const before = network.asked.length;
  return () => calls.map((call) => network.asked.slice(before).filter((one) => one === call).length);
}

const always = Number.POSITIVE_INFINITY;

describe('a change whose entry has been taken by another', () => {
  it('is sent again, and fails in the end where that goes on for ever', async () => {
    const { one } = await twoDevices(instance());
    const count = counting(one, `POST ${MEMORIES}`);
    const stop = answerFirst(one, `POST ${MEMORIES}`, () => refusal('book-moved'), always);
    await expect(one.writeMemory()).rejects.toMatchObject({ code: 'book-moved' });
    expect(count()).toEqual([20]);
    stop();
    await one.writeMemory();
    expect(await one.check()).toEqual([]);
  });

  it('makes no room for it', async () => {
    const { one } = await twoDevices(instance());
    const { n } = one.bookSync.state().head;
    const count = counting(one, `POST ${MEMORIES}`, `POST ${BOOK}`);
    answerFirst(one, `POST ${MEMORIES}`, () => refusal('book-moved'));
    await one.writeMemory();
    expect(count()).toEqual([2, 0]);
    expect(one.bookSync.state().head.n).toBe(n + 1);
  });

  it('fails at once for any other reason', async () => {
    const { one } = await twoDevices(instance());
    const count = counting(one, `POST ${MEMORIES}`, `GET ${BOOK}`);
    answerFirst(one, `POST ${MEMORIES}`, () => refusal('too-many', 429));
    await expect(one.writeMemory()).rejects.toMatchObject({ status: 429 });
    expect(count()).toEqual([1, 0]);
    // The server has said that it was not kept: nothing has to be asked.
    await one.writeMemory();
    expect(count()).toEqual([2, 0]);
  });
});

test('lists that come together are compared with one reading of the book, and with another what comes meanwhile', async () => {
  const { one } = await twoDevices(instance());
  const { api } = one.vault;
  const lists = await Promise.all(everyList(api).map(async (list) => ({ list, rows: await list.fetch() })));
  const count = counting(one, `GET ${BOOK}`);
  const compared = lists.map(({ list, rows }) => one.bookSync.compare(list, rows));
  expect(new Set(await Promise.all(compared))).toEqual(new Set(['compared']));
  expect(count()).toEqual([1]);
  const first = lists.slice(0, 1).map(({ list, rows }) => one.bookSync.compare(list, rows));
  await expect.poll(count).toEqual([2]);
  const meanwhile = lists.slice(1).map(({ list, rows }) => one.bookSync.compare(list, rows));
  await Promise.all([...first, ...meanwhile]);
  expect(count()).toEqual([3]);
});

describe('an entry that is made without a change', () => {
  it('is tried so often, and no more', async () => {
    const { member, one } = await twoDevices(instance());
    await brought(member);
    await one.check();
    const count = counting(one, `POST ${BOOK}`);
    const stop = answerFirst(one, `POST ${BOOK}`, () => refusal('book-moved'), always);
    await expect(one.bookSync.adopt(one.found())).rejects.toMatchObject({ code: 'book-moved' });
    expect(count()).toEqual([20]);
    stop();
    await one.bookSync.adopt(one.found());
    expect(await one.check()).toEqual([]);
  });

  it('is not tried again where it was refused otherwise', async () => {
    const { member, one } = await twoDevices(instance());
    await brought(member);
    await one.check();
    const count = counting(one, `POST ${BOOK}`);
    answerFirst(one, `POST ${BOOK}`, () => refusal('too-many', 429));
    await expect(one.bookSync.adopt(one.found())).rejects.toMatchObject({ status: 429 });
    expect(count()).toEqual([1]);
  });

  it('is not written behind a book that turns out to be wrong', async () => {
    const { member, one } = await twoDevices(instance());
    await brought(member);
    await one.check();
    const count = counting(one, `POST ${BOOK}`);
    answerFirst(one, `POST ${BOOK}`, () => {
      answerFirst(one, `GET ${BOOK}`, () => Response.json([]), always);
      return refusal('book-moved');
    });
    await expect(one.bookSync.adopt(one.found())).rejects.toMatchObject({ code: 'book-moved' });
    expect(count()).toEqual([1]);
  });
});

describe('a change for which the book is full', () => {
  it('is sent with its entry behind a summary', async () => {
    const { one, two } = await twoDevices(instance());
    const { n } = one.bookSync.state().head;
    answerFirst(one, `POST ${MEMORIES}`, () => refusal('book-full'));
    await one.writeMemory();
    const past = await one.bookSync.history();
    expect(past.slice(0, 2)).toMatchObject([
      { n: n + 2, isCheckpoint: false },
      { n: n + 1, isCheckpoint: true },
    ]);
    expect(await two.check()).toEqual([]);
  });

  it('is sent without one where no room can be made', async () => {
    const { one } = await twoDevices(instance());
    answerFirst(one, `POST ${MEMORIES}`, () => refusal('book-full'));
    const stop = answerFirst(one, `POST ${BOOK}`, () => refusal('book-full'), always);
    const count = counting(one, `POST ${MEMORIES}`);
    await one.writeMemory();
    stop();
    expect(count()).toEqual([2]);
    expect(await memoriesOf(one)).toHaveLength(1);
    expect(one.memory.loadNoted()).toHaveLength(1);
    expect(await one.check()).toEqual([]);
  });
});

test('a change whose entry fits no header is sent without one', async () => {
  const { one } = await twoDevices(instance());
  const rows = (count: number) =>
    Array.from({ length: count }, () => ({
      kind: 'memory' as const,
      sealId: newSealId(),
      sealed: { title: btoa('x'.repeat(48)), encryptedContent: btoa('y'.repeat(48)) },
    }));
  const entries: (SealedBookEntry | null)[] = [];
  const send = async (entry: SealedBookEntry | null) => void entries.push(entry);
  await one.bookSync.write({ put: rows(100) }, send);
  await one.bookSync.write({ put: rows(10) }, send);
  expect(entries).toEqual([null, { n: expect.any(Number), sealed: expect.any(String) }]);
});

test('a change of which no row is in any book is sent without an entry', async () => {
  const { one } = await twoDevices(instance());
  const entries: (SealedBookEntry | null)[] = [];
  await one.bookSync.write({ removed: [null] }, async (entry) => void entries.push(entry));
  expect(entries).toEqual([null]);
});

test('a change whose answer is lost has the book read before the next one', async () => {
  const { one } = await twoDevices(instance());
  const stop = one.network.intercept(async (request, forward) => {
    const answer = await forward();
    return request.method === 'POST' ? Promise.reject(new TypeError('cut off')) : answer;
  });
  await expect(one.writeMemory()).rejects.toThrow(TypeError);
  stop();
  const count = counting(one, `GET ${BOOK}`, `POST ${MEMORIES}`);
  await one.writeMemory();
  expect(count()).toEqual([1, 1]);
});

describe('a checkpoint', () => {
  /** The book as a page would have it that has read so many entries since the last one. */
  async function after(entries: number): Promise<Device> {
    const { devices } = await aVaultWith(instance(), 1);
    const one = devices[0] as Device;
    await one.rest();
    const kept = (await one.memory.load()) ?? expect.fail('no book was kept');
    const { head, since } = kept;
    await one.memory.store({ ...kept, since: { n: head.n - entries, at: since?.at ?? 0 } });
    one.reload();
    return one;
  }

  it('is made after two thousand entries', async () => {
    for (const [entries, made] of [
      [1999, 0],
      [2000, 1],
    ] as const) {
      const one = await after(entries);
      const count = counting(one, `POST ${BOOK}`);
      await one.bookSync.look();
      expect(count()).toEqual([made]);
      await one.bookSync.look();
      expect(count()).toEqual([made]);
    }
  });

  it('is made of no book that is wrong, and of none that is empty', async () => {
    const { one } = await twoDevices(instance());
    instance().clock.advance(366 * DAY);
    await instance()
      .database.db.updateTable('sessions')
      .set({ created_at: Date.now(), expires_at: Date.now() + DAY })
      .execute();
    const count = counting(one, `POST ${BOOK}`);
    const stop = answerFirst(one, `GET ${BOOK}`, () => Response.json([]), always);
    await one.bookSync.look();
    expect(one.bookSync.state().chain).toMatchObject({ kind: 'went-back' });
    one.forget();
    expect(await one.bookSync.look()).toMatchObject({ chain: null, head: { n: 0 } });
    expect(count()).toEqual([0]);
    stop();
    one.forget();
    await one.bookSync.look();
    expect(count()).toEqual([1]);
  });
});

describe('a book that is kept back', () => {
  const fault = () => new Response('', { status: 500 });

  it('is said so, until it is shown again', async () => {
    const { one } = await twoDevices(instance());
    const stop = answerFirst(one, `GET ${BOOK}`, fault, always);
    await expect(one.bookSync.look()).rejects.toMatchObject({ status: 500 });
    expect(one.bookSync.state().isWithheld).toBe(true);
    stop();
    expect((await one.bookSync.look()).isWithheld).toBe(false);
  });

  it('is not, by a network that is gone', async () => {
    const { one } = await twoDevices(instance());
    one.network.cut();
    await expect(one.bookSync.look()).rejects.toThrow(TypeError);
    expect(one.bookSync.state()).toMatchObject({ isWithheld: false, isSignedOut: false });
    one.network.cut(false);
  });

  it('is not, by a device that knows to be offline, also where a list has just come', async () => {
    const { one } = await twoDevices(instance());
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    one.network.cut();
    expect(await one.bookSync.compare(listOf('memory', one.vault.api), [])).toBe('not compared');
    expect(one.bookSync.state().isWithheld).toBe(false);
    online.mockRestore();
    one.network.cut(false);
  });

  it('is not, by a session that has ended: that is said, and leads to signing in', async () => {
    const { one } = await twoDevices(instance());
    await instance().database.db.deleteFrom('sessions').execute();
    expect(await one.bookSync.compare(listOf('memory', one.vault.api), [])).toBe('not compared');
    expect(one.bookSync.state()).toMatchObject({ isWithheld: false, isSignedOut: true });
  });

  const instead: [string, () => Response | Promise<Response>][] = [
    ['401, although the session goes on', () => refusal('not-signed-in', 401)],
    ['204', () => new Response(null, { status: 204 })],
    ['an empty body', () => new Response('', { headers: { 'content-type': 'application/json' } })],
    ['broken JSON', () => new Response('[{"n":1,', { headers: { 'content-type': 'application/json' } })],
    ['HTML', () => new Response('<!doctype html><p>Hello', { headers: { 'content-type': 'text/html' } })],
    ['no answer', () => new Promise<Response>(() => {})],
    ['403 proof-needed', () => refusal('proof-needed', 403)],
    ['404', () => refusal('not-found', 404)],
    ['500', fault],
    ['429', () => refusal('too-many', 429)],
    ['a line that is cut', () => Promise.reject(new TypeError('Failed to fetch'))],
  ];
  it.each(instead)(
    'is, by %s, and what was shown meanwhile is compared with it at last',
    async (_, answer) => {
      const { one } = await twoDevices(instance());
      await one.writeMemory();
      let asked = 0;
      one.vault.api.installProver(async () => {
        asked += 1;
        return false;
      });
      const list = listOf('memory', one.vault.api);
      const lied = one.network.intercept(async (request, forward) =>
        request.method === 'GET' && new URL(request.url).pathname === MEMORIES
          ? Response.json([])
          : forward(),
      );
      const stop = one.network.intercept((request, forward) =>
        request.method === 'GET' && new URL(request.url).pathname === BOOK
          ? Promise.resolve(answer())
          : forward(),
      );
      const count = counting(one, `GET ${BOOK}`);
      const compared = one.bookSync.compare(list, await list.fetch());
      await vi.waitFor(() => expect(count()).toEqual([1]));
      // Only an answer that does not come is waited for.
      one.late();
      expect(await compared).toBe('not compared');
      expect(one.bookSync.state()).toMatchObject({ isWithheld: true, rows: [] });
      stop();
      await one.bookSync.look();
      await vi.waitFor(() => expect(one.found()).toMatchObject([{ what: 'missing' }]));
      expect(one.bookSync.state().isWithheld).toBe(false);
      expect(asked).toBe(0);
      lied();
    },
  );

  it('is said as long as a list that came meanwhile is compared with nothing', async () => {
    const { one } = await twoDevices(instance());
    await one.writeMemory();
    const stop = answerFirst(one, `GET ${BOOK}`, fault);
    const faulty = answerFirst(one, `GET ${MEMORIES}`, fault, always);
    expect(await one.bookSync.compare(listOf('memory', one.vault.api), [])).toBe('not compared');
    await one.bookSync.look();
    await one.network.idle();
    expect(one.bookSync.state().isWithheld).toBe(true);
    stop();
    faulty();
    await one.bookSync.look();
    await vi.waitFor(() => expect(one.bookSync.state().isWithheld).toBe(false));
  });

  it('is, where a list comes and the book alone is cut off', async () => {
    const { one } = await twoDevices(instance());
    const list = listOf('memory', one.vault.api);
    const stop = one.network.intercept((request, forward) =>
      request.method === 'GET' && new URL(request.url).pathname === BOOK
        ? Promise.reject(new TypeError('cut off'))
        : forward(),
    );
    expect(await one.bookSync.compare(list, [])).toBe('not compared');
    expect(one.bookSync.state().isWithheld).toBe(true);
    stop();
    expect(await one.bookSync.compare(list, [])).toBe('compared');
    expect(one.bookSync.state().isWithheld).toBe(false);
  });

  it('is, where a list that was wrong is refused when it is fetched once more', async () => {
    const { one } = await twoDevices(instance());
    await one.writeMemory();
    const stop = answerFirst(one, `GET ${MEMORIES}`, fault, always);
    expect(await one.bookSync.compare(listOf('memory', one.vault.api), [])).toBe('not compared');
    expect(one.bookSync.state()).toMatchObject({ isWithheld: true, rows: [] });
    stop();
  });

  it('is not, by a page whose key was taken away', async () => {
    const { member, one } = await twoDevices(instance());
    const key = loadKey(member.user.id) ?? '';
    lockKey(member.user.id);
    expect(await one.bookSync.compare(listOf('memory', one.vault.api), [])).toBe('not compared');
    expect(one.bookSync.state().isWithheld).toBe(false);
    keepKey(member.user.id, key);
  });
});

describe('a list that is wrong', () => {
  it('is fetched again as long as others write, and then nothing is known', async () => {
    const { one, two } = await twoDevices(instance());
    await one.writeMemory('First');
    const list = listOf('memory', one.vault.api);
    let fetched = 0;
    const slow = (writes: number) => ({
      ...list,
      async fetch() {
        fetched += 1;
        const rows = await list.fetch();
        if (fetched <= writes) await two.writeMemory(`Memory ${fetched}`);
        return rows;
      },
    });
    // What is right in the end is no finding.
    expect(await one.bookSync.compare(slow(2), [])).toBe('anew');
    expect(fetched).toBe(3);
    expect(one.found()).toEqual([]);
    fetched = 0;
    expect(await one.bookSync.compare(slow(always), [])).toBe('not compared');
    expect(fetched).toBe(20);
    expect(one.found()).toEqual([]);
  });

  it('is fetched once more where nobody writes, and not at all where it is right', async () => {
    const { member, one } = await twoDevices(instance());
    await one.writeMemory();
    // What no book has is nothing wrong.
    await brought(member);
    const list = listOf('memory', one.vault.api);
    const right = await list.fetch();
    const count = counting(one, `GET ${MEMORIES}`);
    await one.bookSync.compare(list, right);
    expect(count()).toEqual([0]);
    await one.bookSync.compare(list, []);
    expect(count()).toEqual([1]);
  });

  it('is counted anew when somebody has written', async () => {
    const { one } = await twoDevices(instance());
    const list = listOf('memory', one.vault.api);
    for (let i = 0; i < 6; i += 1) {
      // Twice wrong between one change and the next.
      if (i % 2 === 0) await one.writeMemory(`Memory ${i}`);
      await one.bookSync.compare(list, []);
      expect(one.found()).toEqual([]);
    }
    await one.bookSync.compare(list, []);
    expect(one.found().map(({ what }) => what)).toEqual(['missing', 'missing', 'missing']);
  });

  it('has the page fetch it only where it was wrong, and only by a book that is right', async () => {
    const { one } = await twoDevices(instance());
    await one.writeMemory();
    const list = listOf('memory', one.vault.api);
    const right = await list.fetch();
    const queryKey = ['opened', list.path, one.vault.user.id];
    one.vault.queryClient.setQueryData(queryKey, 'what the page shows');
    const isAskedFor = () => one.vault.queryClient.getQueryState(queryKey)?.isInvalidated;
    await one.bookSync.compare(list, right);
    expect(isAskedFor()).toBe(false);
    // Wrong when it is fetched once more as well: that is a finding, and no slip.
    const wrong = one.network.intercept(async (request, forward) =>
      request.method === 'GET' && new URL(request.url).pathname === MEMORIES
        ? Response.json(((await (await forward()).json()) as Memory[]).slice(1))
        : forward(),
    );
    await one.bookSync.compare(list, []);
    expect(one.found()).toMatchObject([{ what: 'missing' }]);
    expect(isAskedFor()).toBe(false);
    wrong();
    // The book is right when the list comes, and empty when it has been fetched once more.
    one.network.intercept(async (request, forward) => {
      if (request.method === 'GET' && new URL(request.url).pathname === MEMORIES)
        answerFirst(one, `GET ${BOOK}`, () => Response.json([]), always);
      return forward();
    });
    await one.bookSync.compare(list, []);
    expect(one.bookSync.state().chain).toMatchObject({ kind: 'went-back' });
    expect(isAskedFor()).toBe(false);
  });
});
