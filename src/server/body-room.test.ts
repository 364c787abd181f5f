// What bodies may take together. The last test sends them to the real program with a small heap.
import { createConnection } from 'node:net';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { requesterTo } from '../testing/fuzz/people.ts';
import { openTestInstance } from '../testing/instance.ts';
import { signUpByPassphrase } from '../testing/people.ts';
import { startSmallServer } from '../testing/server-program.ts';
import { type AskSister, createSisters } from './adapters/sisters.ts';
import { type CountedBody, createBodyRoom, createBodyRooms } from './body-room.ts';
import { createDigests } from './digests.ts';
import type { AppError } from './errors.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

describe('the room of bodies', () => {
  /** A room for 100 bytes, in which 10 are not counted; and who had to go, in order. */
  function aRoom(spare = 0) {
    const room = createBodyRoom({ light: 10, together: 100, spare });
    const gone: string[] = [];
    const enter = (holder: string, size: number, name = holder): CountedBody => {
      const body = room.enter(holder, ({ code, retryAfter }: AppError) => {
        gone.push(name);
        expect([code, retryAfter]).toEqual(['too-many', 10]);
      });
      body.grow(size);
      return body;
    };
    return { enter, gone };
  }

  it('is taken from whoever holds most, the oldest body first', () => {
    const { enter, gone } = aRoom();
    enter('quiet', 30);
    enter('greedy', 25, 'first');
    enter('greedy', 25, 'second');
    expect(gone).toEqual([]);
    enter('greedy', 25, 'third');
    expect(gone).toEqual(['first']);
    enter('other', 30);
    expect(gone).toEqual(['first', 'second']);
  });

  it('counts a body as it grows, once, and not what was announced', () => {
    const { enter, gone } = aRoom();
    const slow = enter('slow', 11);
    const other = enter('other', 60);
    slow.grow(20);
    slow.grow(40);
    expect(gone).toEqual([]);
    slow.grow(41);
    expect(gone).toEqual(['other']);
    other.grow(70);
    slow.grow(100);
    expect(gone).toEqual(['other']);
  });

  it('is given back when a body was answered', () => {
    const { enter, gone } = aRoom();
    for (let i = 0; i < 10; i += 1) enter('somebody', 90).leave();
    expect(gone).toEqual([]);
  });

  it('is never taken from what is worked on: then the one that comes has to wait', () => {
    const { enter, gone } = aRoom();
    enter('busy', 90).settle();
    enter('late', 11);
    expect(gone).toEqual(['late']);
  });

  it('is taken from what waits for somebody else, until that has answered', () => {
    const { enter, gone } = aRoom();
    const waiting = enter('waiting', 60);
    waiting.settle();
    waiting.wait(() => gone.push('waiting'));
    const answered = enter('answered', 30);
    answered.settle();
    answered.wait(() => gone.push('answered'));
    answered.settle();
    enter('late', 20);
    expect(gone).toEqual(['waiting']);
    enter('later', 60);
    expect(gone).toEqual(['waiting', 'later']);
  });

  it('is made for several at once', () => {
    const { enter, gone } = aRoom(50);
    for (const name of ['first', 'second', 'third', 'fourth']) enter('greedy', 25, name);
    expect(gone).toEqual([]);
    enter('other', 11);
    expect(gone).toEqual(['first', 'second', 'third']);
  });

  it('is not asked for small bodies', () => {
    const { enter, gone } = aRoom();
    enter('busy', 100).settle();
    for (let i = 0; i < 100; i += 1) enter('small', 10);
    expect(gone).toEqual([]);
  });
});

it('a body that waits for its end makes room for another one, which is answered', async () => {
  const small = { light: 500, together: 1000, spare: 0 };
  const instance = await openTestInstance({
    deps: { bodyRooms: createBodyRooms({ members: small, strangers: small, servers: small }) },
  });
  cleanups.push(() => instance.close());
  const person = await signUpByPassphrase(instance);
  const post = (body: ReadableStream) =>
    person.request('POST', '/api/book/findings', { body, headers: { 'content-type': 'application/json' } });
  const whole = `{"kind":"went-back"${' '.repeat(900)}}`;
  let begun = () => {};
  const isRead = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let beginning: Uint8Array | null = new TextEncoder().encode(whole.slice(0, -1));
  const slow = post(
    new ReadableStream<Uint8Array>(
      {
        // It is asked for more once its beginning was read, and has nothing.
        pull(controller) {
          if (!beginning) return begun();
          controller.enqueue(beginning);
          beginning = null;
        },
      },
      { highWaterMark: 0 },
    ),
  );
  await isRead;
  const others = [await post(new Blob([whole]).stream()), await post(new Blob([whole]).stream())];
  expect(others.map(({ status }) => status)).toEqual([204, 204]);
  const given = await slow;
  expect([given.status, given.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await given.json()).toMatchObject({ code: 'too-many' });
});

const HEAP_MB = 256;
const CONNECTIONS = 100;

it('a hundred large entries of one account that end in the same moment end no server', async () => {
  const server = await startSmallServer(inject('serverProgram'), HEAP_MB, cleanups);
  const { cookie } = await signUpByPassphrase({ request: requesterTo(server.url) });
  const port = Number(new URL(server.url).port);
  // One letter that has no place in one byte makes two of each.
  const encryptedContent = `${'a'.repeat(2_050_000)}я`;
  const body = Buffer.from(JSON.stringify({ title: 'dGl0bGU=', encryptedContent, timeLockUntil: null }));
  const head = [
    'POST /api/memory-entries HTTP/1.1',
    `Host: localhost:${port}`,
    `Cookie: ${cookie}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const sockets = Array.from({ length: CONNECTIONS }, () => createConnection(port, '127.0.0.1'));
  const statuses: string[] = [];
  const ends = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        // Writing into a connection that was ended is what this is about.
        socket.on('error', () => {}).once('close', () => resolve());
        socket.once('data', (data) => statuses.push(data.toString('latin1', 9, 12)));
        cleanups.push(() => socket.destroy());
      }),
  );
  const begun = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        socket.once('close', () => resolve());
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        socket.write(body.subarray(0, -1), () => resolve());
      }),
  );
  await Promise.all(begun);
  for (const socket of sockets) socket.end(body.subarray(-1));
  await Promise.all(ends);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(server.child.exitCode).toBeNull();
  expect(server.output()).not.toMatch(/"level":(?:50|60)/);
  expect(statuses).toContain('201');
  expect(['201', '429']).toEqual(expect.arrayContaining([...new Set(statuses)]));
}, 240_000);

it('strangers from any number of addresses hold no more than their room, and people who are signed in have theirs', () => {
  const rooms = createBodyRooms();
  let gone = 0;
  const member = rooms.members.enter(1, () => expect.unreachable());
  member.grow(40 * 1024 * 1024);
  for (let i = 0; i < 6000; i += 1) {
    const body = rooms.strangers.enter(`2001:db8:0:${i.toString(16)}::/64`, () => {
      gone += 1;
    });
    body.grow(16 * 1024);
    body.grow(64 * 1024);
  }
  expect(6000 - gone).toBeLessThanOrEqual(128);
  member.grow(48 * 1024 * 1024);
});

describe('a sister that says nothing', () => {
  const small = { light: 500, together: 6000, spare: 0 };
  const silent = { origin: 'https://silent.example', address: 'a'.repeat(32) };
  const headers = { 'content-type': 'application/json' };

  async function joinedWithIt() {
    const config = { publicUrl: new URL('https://vault.example'), sisters: [silent] };
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let ended = 0;
    const ask: AskSister = (_, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          ended += 1;
          reject(new Error('Nobody waits any more.'));
        });
        asked();
      });
    const digests = createDigests(Buffer.alloc(32, 7));
    const sisters = createSisters({ config, digests, elapsed: () => 0, ask });
    const bodyRooms = createBodyRooms({ members: small, strangers: small, servers: small });
    const instance = await openTestInstance({ deps: { sisters, bodyRooms } });
    cleanups.push(() => instance.close());
    return { instance, isAsked, ended: () => ended };
  }

  it('keeps no member from writing, however large the letters are that another one has it sent', async () => {
    const { instance, isAsked, ended } = await joinedWithIt();
    const [sender, writer] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    const body = { to: silent.origin, box: 'A'.repeat(5600) };
    const sent = sender.request('POST', '/api/sisters/send', { body });
    await isAsked;
    const finding = `{"kind":"went-back"${' '.repeat(900)}}`;
    const written = await writer.request('POST', '/api/book/findings', {
      body: new Blob([finding]).stream(),
      headers,
    });
    expect(written.status).toBe(204);
    expect(await (await sent).json()).toMatchObject({ code: 'too-many' });
    expect(ended()).toBe(1);
  });

  it('keeps no other instance’s letters out, however large those are that strangers bring in its name', async () => {
    const { instance, isAsked } = await joinedWithIt();
    const keep = (from: string, length: number) => {
      const body = { from, box: 'A'.repeat(length), signature: 'A'.repeat(3228) };
      return instance.request('POST', '/api/sisters/letters', { body });
    };
    const strangers = keep(silent.origin, 2400);
    await isAsked;
    expect(await (await keep('https://other.example', 400)).json()).toMatchObject({ code: 'not-a-sister' });
    expect(await (await strangers).json()).toMatchObject({ code: 'too-many' });
  });
});

it('what any number of addresses send as letters of servers takes no room of other strangers', async () => {
  const rooms = createBodyRooms();
  let gone = 0;
  rooms.servers = createBodyRoom({ light: 500, together: 40_000, spare: 0 });
  rooms.strangers.enter = () => expect.unreachable();
  const entering = rooms.servers.enter;
  rooms.servers.enter = (client, giveUp) =>
    entering(client, (error) => {
      gone += 1;
      giveUp(error);
    });
  const instance = await openTestInstance({ deps: { bodyRooms: rooms } });
  cleanups.push(() => instance.close());
  const headers = { 'content-type': 'application/json' };
  // Unsigned, and unfinished: nobody knows whose they are.
  for (let i = 0; i < 5; i += 1) {
    let isRead = () => {};
    const read = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    let piece: Uint8Array | null = new TextEncoder().encode(' '.repeat(10_000));
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (!piece) return isRead();
          controller.enqueue(piece);
          piece = null;
        },
      },
      { highWaterMark: 0 },
    );
    void instance.request('POST', '/api/sisters/letters', { body, headers });
    await read;
  }
  expect(gone).toBe(1);
});
