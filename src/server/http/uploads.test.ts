// Files over real sockets that trickle, stop or are left, and by the places that they hold. A clock that stands still says
// how long they take; each test waits for the end that it expects.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../shared/time.ts';
import { testClock } from '../../testing/clock.ts';
import { openTestInstance } from '../../testing/instance.ts';
import { OLD_HOUSE } from '../../testing/speech.ts';
import { ANSWERS_WITHIN, type Speech } from '../adapters/speech.ts';
import { type UploadLimits, uploadLimits } from '../upload-limits.ts';
import { connectionLimits } from './connections.ts';
import { createUploadGate } from './uploads.ts';

const TRANSCRIBE = '/api/whisper/transcribe';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const engine: Omit<Speech, 'hear'> = {
  engine: 'embedded',
  hearer: 'this server',
  rough: true,
  maxSeconds: 120,
};

/** A server behind a proxy, which tells it whose requests these are. */
async function listening(hear: Speech['hear'], limits: Partial<UploadLimits> = {}) {
  const time = testClock();
  const instance = await openTestInstance({
    env: { TRUSTED_PROXIES: '127.0.0.1', TRANSCRIPTIONS_PER_DAY: '10000' },
    deps: {
      speech: { ...engine, hear },
      uploads: { limits: { ...uploadLimits, checkEvery: 5, ...limits }, elapsed: time.now },
    },
  });
  cleanups.push(() => instance.close());
  const server: Server = createServer(getRequestListener(instance.app.fetch));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  async function send(address: string, signal?: AbortSignal) {
    const body = new FormData();
    body.append('audio', new Blob([new Uint8Array(OLD_HOUSE.bytes)]), 'a');
    const headers = { 'x-forwarded-for': address };
    return fetch(`http://127.0.0.1:${port}${TRANSCRIBE}`, {
      method: 'POST',
      body,
      headers,
      ...(signal ? { signal } : {}),
    });
  }
  /** Begins to trickle, and resolves once that holds the place of its address: another file of it is refused. */
  async function beginInside(address: string) {
    for (;;) {
      const arrived = once(server, 'request');
      const trickle = begin(port, address);
      await arrived;
      while (!trickle.socket.destroyed) if ((await send(address)).status === 429) return trickle;
      // A file that was sent to find out had the place, and this one was refused.
    }
  }
  return { server, time, send, beginInside, begin: (address: string) => begin(port, address) };
}

/** Sends the head of a form, and then one byte after another until the connection ends. */
function begin(port: number, address: string) {
  const socket: Socket = createConnection(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
  });
  // Writing into a connection that was ended is what these tests are about.
  socket.on('error', () => {});
  socket.write(
    `POST ${TRANSCRIBE} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n` +
      'Content-Type: multipart/form-data; boundary=XX\r\nContent-Length: 1000000\r\n\r\n' +
      '--XX\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\nRIFF',
  );
  const timer = setInterval(() => socket.write('a'), 5);
  const ended = new Promise<string>((resolve) => {
    socket.once('close', () => {
      clearInterval(timer);
      resolve(heard);
    });
  });
  cleanups.push(() => socket.destroy());
  return { socket, ended };
}

const heard = async () => ({ text: 'words' });

describe('a file that trickles', () => {
  it('is given up when it falls behind, says why, and gives its place back', async () => {
    const { time, beginInside, send } = await listening(heard);
    const { ended } = await beginInside('192.0.2.1');
    time.advance(uploadLimits.grace + 1);
    const answer = await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"too-slow"');
    expect((await send('192.0.2.1')).status).toBe(200);
  });

  it('is given up when it takes too long altogether, however fast it comes', async () => {
    const { time, beginInside, send } = await listening(heard, { grace: HOUR });
    const { ended } = await beginInside('192.0.2.1');
    time.advance(uploadLimits.within);
    expect((await send('192.0.2.1')).status).toBe(429);
    time.advance(1);
    expect(await ended).toContain('"code":"too-slow"');
  });

  it('leaves the others their places: one address holds one, however many it sends', async () => {
    const { begin, beginInside, send } = await listening(heard);
    const first = await beginInside('192.0.2.1');
    const more = Array.from({ length: uploadLimits.atOnce + 1 }, () => begin('192.0.2.1').ended);
    for (const answer of await Promise.all(more)) expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(first.socket.destroyed).toBe(false);
    expect((await send('192.0.2.2')).status).toBe(200);
  });

  it('of many addresses together end all, and then there is room', async () => {
    const { time, beginInside, send } = await listening(heard);
    const all = Array.from({ length: uploadLimits.strangersAtOnce }, (_, n) => `198.51.100.${n}`);
    const sent: Awaited<ReturnType<typeof beginInside>>[] = [];
    for (const address of all) sent.push(await beginInside(address));
    expect((await send('192.0.2.1')).status).toBe(503);
    time.advance(uploadLimits.grace + 1);
    for (const { ended } of sent) expect(await ended).toContain('"code":"too-slow"');
    expect((await send('192.0.2.1')).status).toBe(200);
  });
});

describe('a place is free at once', () => {
  it('when its client goes away while it sends', async () => {
    const { beginInside, send } = await listening(heard);
    const { socket } = await beginInside('192.0.2.1');
    socket.destroy();
    while ((await send('192.0.2.1')).status === 429);
  });

  it('when its client goes away while it is heard', async () => {
    let came = () => {};
    const hears = new Promise<void>((resolve) => {
      came = resolve;
    });
    let isFirst = true;
    const { send } = await listening(async (_, signal) => {
      if (!isFirst) return { text: 'words' };
      isFirst = false;
      came();
      await once(signal, 'abort');
      return 'failed';
    });
    const client = new AbortController();
    const sent = send('192.0.2.1', client.signal).catch(() => 'left');
    await hears;
    expect((await send('192.0.2.1')).status).toBe(429);
    client.abort();
    expect(await sent).toBe('left');
    while ((await send('192.0.2.1')).status === 429);
  });
});

it('a connection may stand idle for as long as its file is heard, and no longer', async () => {
  let socket: Socket | undefined;
  const idles: unknown[] = [];
  const { server, send } = await listening(async () => {
    idles.push(socket?.timeout);
    return { text: 'words' };
  });
  server.setTimeout(connectionLimits.idle);
  server.on('connection', (one: Socket) => {
    socket = one;
    const set = one.setTimeout.bind(one);
    one.setTimeout = (milliseconds, ...rest) => {
      idles.push(milliseconds);
      return set(milliseconds, ...rest);
    };
  });
  expect((await send('192.0.2.1')).status).toBe(200);
  // Set for the answer, seen while it is made, and put back.
  expect(idles.slice(0, 3)).toEqual([ANSWERS_WITHIN, ANSWERS_WITHIN, connectionLimits.idle]);
});

describe('places', () => {
  const gate = () => createUploadGate({ atOnce: 3, strangersAtOnce: 2 });
  const isBusy = expect.objectContaining({ code: 'busy', retryAfter: 30 });

  it('are taken by strangers up to a number, and all by people who are signed in', () => {
    const letIn = gate();
    letIn('a', true);
    const leave = letIn('b', true);
    expect(() => letIn('c', true)).toThrow(isBusy);
    letIn('c', false);
    expect(() => letIn('d', false)).toThrow(isBusy);
    leave();
    letIn('d', true);
    expect(() => letIn('e', true)).toThrow(isBusy);
  });

  it('go to strangers where nobody else wants them, and no further', () => {
    const letIn = gate();
    for (const member of ['a', 'b']) letIn(member, false);
    letIn('c', true);
    expect(() => letIn('d', true)).toThrow(isBusy);
  });
});
