// Requests whose clients hang up before they have sent what they announced, against the real program with a small heap.
import { createConnection } from 'node:net';
import { afterEach, expect, inject, it } from 'vitest';
import { startSmallServer } from '../testing/server-program.ts';

const HEAP_MB = 64;
/** Each keeps its headers in memory for as long as anything holds it. */
const REQUESTS = 8000;
const AT_ONCE = 20;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

it('nothing stays of a request that was answered, and whose client left without its body', async () => {
  const server = await startSmallServer(inject('serverProgram'), HEAP_MB, cleanups);
  const port = Number(new URL(server.url).port);
  const request = `POST /x HTTP/1.1\r\nHost: localhost:${port}\r\nX-Long: ${'x'.repeat(8000)}\r\nContent-Length: 10\r\n\r\n`;
  const sendAndLeave = () =>
    new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => socket.write(request));
      socket.once('data', () => socket.destroy()).on('error', () => {});
      socket.once('close', () => resolve(socket.bytesRead > 0));
    });
  let answered = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let i = 0; i < REQUESTS / AT_ONCE; i += 1) if (await sendAndLeave()) answered += 1;
    }),
  );
  expect(server.child.exitCode ?? server.child.signalCode).toBeNull();
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(answered).toBe(REQUESTS);
}, 240_000);
