// Raw sockets against the real server, with little patience: every one of these connections would otherwise stay open for
// more than a minute. Nothing is timed; each test waits for the end that it expects.

import { createConnection } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HOUR } from '../../shared/time.ts';
import { aDataDir } from '../../testing/server-program.ts';
import { writeWebRoot } from '../../testing/web-files.ts';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { fallsBehind } from '../pace.ts';
import { type RunningInstance, startInstance } from '../start.ts';
import { type ConnectionLimits, HEADERS_MAX, PIPELINED_MAX } from './connections.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Nothing ends a connection but what a test asks for. */
const patient: ConnectionLimits = {
  headers: HOUR,
  request: HOUR,
  keepAlive: HOUR,
  idle: HOUR,
  checkEvery: 20,
  grace: HOUR,
  bytesPerSecond: 1,
  perAddress: 10,
  total: 2048,
};

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function start(limits: Partial<ConnectionLimits>): Promise<RunningInstance> {
  const { dataDir, remove } = aDataDir();
  const web = writeWebRoot();
  cleanups.push(remove, () => web.remove());
  const instance = await startInstance({
    config: readConfig({ PORT: '0', DATA_DIR: dataDir }),
    log: createLog('silent'),
    version: '0.0.0-test',
    webRoot: web.root,
    connections: { ...patient, ...limits },
  });
  cleanups.push(() => instance.stop());
  return instance;
}

/** Sends a beginning, and goes on with one byte after another until the connection ends. */
function trickle({ port }: RunningInstance, beginning: string, byte: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    let heard = '';
    const timer = byte === '' ? undefined : setInterval(() => socket.write(byte), 10);
    socket.setEncoding('latin1').on('data', (text: string) => {
      heard += text;
    });
    // Writing into a connection that was ended is what these tests are about.
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(timer);
      resolve(heard);
    });
    if (beginning !== '') socket.write(beginning);
    cleanups.push(() => socket.destroy());
  });
}

const POST =
  'POST /api/confirmations/look HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"a":"';
const CHUNKED =
  'POST /api/confirmations/look HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const HEADERS = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ';
const WHOLE = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const CLOSED = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

describe('a connection ends', () => {
  it('when it never says anything', async () => {
    expect(await trickle(await start({ headers: 100 }), '', '')).toMatch(/^(?:HTTP\/1\.1 408 .*)?/s);
  });

  it('when its headers come byte by byte', async () => {
    expect(await trickle(await start({ headers: 200 }), HEADERS, 'x')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('when a request takes too long altogether, however steadily it comes', async () => {
    const instance = await start({ headers: 300, request: 300 });
    expect(await trickle(instance, POST, 'a'.repeat(50))).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each([
    ['a length', POST, 'a'],
    ['chunks', CHUNKED, '1\r\na\r\n'],
  ])('when a body with %s trickles, long before the request may end', async (_, beginning, byte) => {
    const instance = await start({ grace: 100, bytesPerSecond: 100_000 });
    expect(await trickle(instance, beginning, byte)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('when a body trickles after the request was answered without it', async () => {
    const instance = await start({ grace: 100, bytesPerSecond: 100_000 });
    const beginning = POST.replace('/api/confirmations/look', '/api/nothing');
    expect(await trickle(instance, beginning, 'a')).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('when nothing happens on it while a request is being sent', async () => {
    const instance = await start({ idle: 100 });
    expect(await trickle(instance, POST, '')).not.toMatch(/^HTTP\/1\.1 [25]/);
  });

  it('when nothing follows its last answer', async () => {
    expect(await trickle(await start({ keepAlive: 100 }), WHOLE, '')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('eight hundred bodies that trickle all end, and others are answered meanwhile', async () => {
  const instance = await start({ grace: 500, bytesPerSecond: 100_000 });
  const crowd = Promise.all(Array.from({ length: 800 }, () => trickle(instance, POST, '')));
  const health = await fetch(`http://127.0.0.1:${instance.port}/healthz`);
  expect(health.status).toBe(200);
  expect((await crowd).every((heard) => heard === '' || heard.startsWith('HTTP/1.1 408 '))).toBe(true);
});

describe('requests of one connection that do not wait for their answers', () => {
  const asking = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

  it('are answered one by one, in their order', async () => {
    const instance = await start({ keepAlive: 200 });
    const heard = await trickle(
      instance,
      asking('/healthz') + asking('/api/nothing') + asking('/healthz'),
      '',
    );
    expect(heard.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  it('end it where there are many', async () => {
    const instance = await start({});
    const heard = await trickle(instance, asking('/healthz').repeat(PIPELINED_MAX + 2), '');
    expect(heard.match(/HTTP\/1\.1 200/g) ?? []).toHaveLength(0);
  });
});

describe('a request whose end could be read in two ways is refused, and nothing behind it is heard:', () => {
  const CHUNKS = 'Transfer-Encoding: chunked';
  const END = '0\r\n\r\n';
  it.each([
    ['a length and chunks', `Content-Length: 6\r\n${CHUNKS}`, `${END}G`],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 0', 'abc'],
    ['a list of lengths', 'Content-Length: 3, 3', 'abc'],
    ['a length with a sign', 'Content-Length: +3', 'abc'],
    ['a length in another notation', 'Content-Length: 0x3', 'abc'],
    ['a space before a colon', 'Content-Length : 3', 'abc'],
    ['a length folded into another header', 'X: a\r\n Content-Length: 30', ''],
    ['chunks within something else', 'Transfer-Encoding: chunked, identity', END],
    ['two encodings', `${CHUNKS}\r\nTransfer-Encoding: identity`, END],
    ['an encoding that nobody knows', 'Transfer-Encoding: xchunked', END],
    ['chunks that end in half of a line end', CHUNKS, '3\nabc\n0\n\n'],
    ['a chunk whose size has another notation', CHUNKS, `0x3\r\nabc\r\n${END}`],
  ])('%s', async (_, headers, body) => {
    const instance = await start({ keepAlive: 200 });
    const request = `POST /api/nothing HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${body}`;
    const heard = await trickle(instance, request + WHOLE, '');
    expect(heard.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 400']);
  });
});

describe('headers', () => {
  const answers = async (...headers: string[]) => {
    const asking = headers.map((lines) => `GET /healthz HTTP/1.1\r\n${lines}\r\n`).join('');
    const heard = await trickle(await start({ keepAlive: 200 }), asking, '');
    return heard.match(/HTTP\/1\.1 \d{3}/g);
  };
  const host = 'Host: localhost\r\n';
  const others = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: b\r\n`).join('');

  it('are counted: with more than so many a request is refused, so that none of them is overlooked', async () => {
    expect(await answers(host + others(HEADERS_MAX - 1))).toEqual(['HTTP/1.1 200']);
    expect(await answers(host + others(HEADERS_MAX), host)).toEqual(['HTTP/1.1 431']);
    expect(await answers(host + others(1100), host)).toEqual(['HTTP/1.1 431']);
  });

  it('that Node itself would refuse are answered in their turn', async () => {
    const odd = `${host}Expect: nothing\r\n`;
    expect(await answers(host, odd, '', host)).toEqual(
      [200, 200, 400, 200].map((code) => `HTTP/1.1 ${code}`),
    );
  });
});

describe('a body', () => {
  const limits = { grace: 10_000, bytesPerSecond: 1024 };
  it.each([
    ['has some time before anybody measures', 0, 10_000, false],
    ['that stopped falls behind', 5000, 10_001, true],
    ['at the slowest pace does not', 20 * 1024, 20_000, false],
    ['under it does', 20 * 1024 - 1, 20_000, true],
    ['of eight megabytes over a slow line does not', 8 * 1024 * 1024, 290_000, false],
  ])('%s', (_, bytes, elapsed, behind) => {
    expect(fallsBehind({ bytes, elapsed }, limits)).toBe(behind);
  });
});

it('many idle connections make room for whoever comes, and for every one that comes after', async () => {
  const instance = await start({ total: 64 });
  const idle = Array.from({ length: 64 }, () => trickle(instance, WHOLE, ''));
  for (let i = 0; i < 100; i += 1) expect(await trickle(instance, CLOSED, '')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await idle[0]).toMatch(/^HTTP\/1\.1 200 /);
});
