// Requests behind an answer that nobody reads, on all connections that an address may have, against the real program with a
// small heap: what waits is little, also where Node would answer by itself.
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, inject, it } from 'vitest';
import { startSmallServer } from '../testing/server-program.ts';
import { openEmbedded } from './db/open.ts';
import { replaceWhisper } from './features/whisper-audio/store.ts';
import { connectionLimits, PIPELINED_MAX } from './http/connections.ts';

const HEAP_MB = 128;
/** More than a system keeps for a client that does not read. */
const UNREAD = 16 * 1024 * 1024;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const LONG = `X-Long: ${'x'.repeat(14_000)}\r\n`;
const manyHeaders = Array.from({ length: 1000 }, (_, i) => `${i.toString(36)}:\r\n`).join('');

it.each([
  ['that expect what no server has', 1, 100, (host: string) => `${host}Expect: nothing\r\n${LONG}`],
  ['without a host', 1, 120, () => LONG],
  ['of a thousand headers', 1, PIPELINED_MAX - 1, (host: string) => host + manyHeaders],
  ['with long headers', 3, PIPELINED_MAX - 1, (host: string) => host + LONG],
])(
  'requests %s end no server',
  async (_, addresses, times, headers) => {
    const server = await startSmallServer(inject('serverProgram'), HEAP_MB, cleanups);
    const { db } = await openEmbedded(join(server.dataDir, 'latebra.db'));
    await replaceWhisper({ db, now: Date.now }, Buffer.alloc(UNREAD), 'audio/mpeg');
    await db.destroy();
    const { host, port } = new URL(server.url);
    const asking = (path: string, more: string) => `GET ${path} HTTP/1.1\r\n${more}\r\n`;
    const text =
      asking('/api/whisper-audio/current', `Host: ${host}\r\n`) +
      asking('/healthz', headers(`Host: ${host}\r\n`)).repeat(times);
    await Promise.all(
      Array.from({ length: addresses * connectionLimits.perAddress }, () => {
        const socket = createConnection(Number(port), '127.0.0.1');
        cleanups.push(() => socket.destroy());
        return new Promise<void>((resolve) => {
          socket.once('close', () => resolve()).on('error', () => {});
          socket.write(text, 'latin1', () => resolve());
        });
      }),
    );
    for (let i = 0; i < 5; i += 1) expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.child.exitCode ?? server.child.signalCode).toBeNull();
  },
  120_000,
);
