// Bodies of one-byte chunks, from many connections to every call that takes a body, against the real program with a small
// heap: it stays up, and answers everybody else.
import { createConnection, type Socket } from 'node:net';
import { afterEach, expect, inject, it } from 'vitest';
import { billing } from '../shared/nouns/billing.ts';
import { requesterTo } from '../testing/fuzz/people.ts';
import { CHECKOUT, fuzzedRows, inOneByteChunks } from '../testing/fuzz/requests.ts';
import { signUpByPassphrase } from '../testing/people.ts';
import { aDataDir, startServer } from '../testing/server-program.ts';
import { openStripe, stripeEnv } from '../testing/stripe/service.ts';

const HEAP_MB = 256;
/** How many bodies go to the payment webhook, beside one to every other call. */
const TO_WEBHOOK = 20;
/** How many chunks each sends: 300 KB on the wire. */
const CHUNKS = 50_000;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

it.each([
  ['with payments', true],
  ['without', false],
])('one-byte chunks to every call with a body end no server %s', async (_, isSelling) => {
  const { dataDir, remove } = aDataDir();
  cleanups.push(remove);
  const stripe = await openStripe();
  cleanups.push(() => stripe.close());
  const server = await startServer(inject('serverProgram'), {
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    ...(isSelling ? { ...stripeEnv(stripe), CHECKOUT_ORIGIN: CHECKOUT } : {}),
  });
  cleanups.push(() => server.end('SIGKILL'));
  const { cookie } = await signUpByPassphrase({ request: requesterTo(server.url) });
  const webhook = Array.from({ length: TO_WEBHOOK }, () => billing.webhook);
  // What differs without payments is their webhook alone.
  const others = isSelling ? fuzzedRows().map(({ row }) => row) : [];
  const bodies = [...webhook, ...others]
    .map((row) => inOneByteChunks(row, cookie, CHUNKS))
    .filter((body) => body !== null);
  expect(bodies.length).toBeGreaterThan(isSelling ? 60 : TO_WEBHOOK - 1);
  const port = Number(new URL(server.url).port);
  const send = (body: string) =>
    new Promise<void>((resolve) => {
      const socket: Socket = createConnection(port, '127.0.0.1');
      // Writing into a connection that was ended is what this is about.
      socket.on('error', () => {}).resume();
      socket.once('close', () => resolve());
      socket.end(body, 'latin1');
      cleanups.push(() => socket.destroy());
    });
  await Promise.all(bodies.map(send));
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(server.child.exitCode).toBeNull();
  expect(server.output()).not.toMatch(/"level":(?:50|60)/);
});
