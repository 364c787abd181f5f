// Answers that break off once they have begun, over real connections.
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clientGone } from '../errors.ts';
import { cuttingConnection } from './breaking-off.ts';

const cleanups: (() => unknown)[] = [];
const printed: unknown[] = [];
const logged: unknown[] = [];
beforeEach(() => {
  for (const way of ['error', 'info'] as const)
    vi.spyOn(console, way).mockImplementation((...words) => void printed.push(...words));
});
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
  vi.restoreAllMocks();
  printed.length = 0;
  logged.length = 0;
});

/** Asks a server of Node that answers this stream, and waits for the head of the answer. */
async function answered(stream: ReadableStream<Uint8Array>, headers = {}): Promise<IncomingMessage> {
  const log = { warn: (...line: unknown[]) => void logged.push(...line) };
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get('/', (c) => new Response(cuttingConnection(c, stream, log), { headers }));
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return answer;
}

async function bytesOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) text += piece;
  return text;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const refusals = [
  { what: 'this server ends', error: clientGone(), lines: [] },
  {
    what: 'fails',
    error: new Error('the store has lost it'),
    lines: [{ err: expect.objectContaining({ message: 'the store has lost it' }) }, 'an answer broke off'],
  },
];

it.each(refusals)('an answer that $what is cut, and no stack is printed', async ({ error, lines }) => {
  let asked = 0;
  const answer = await answered(
    new ReadableStream(
      {
        pull(controller) {
          asked += 1;
          if (asked === 1) controller.enqueue(bytes('half'));
          else controller.error(error);
        },
      },
      { highWaterMark: 0 },
    ),
  );
  await expect(bytesOf(answer)).rejects.toThrow('aborted');
  expect(printed).toEqual([]);
  expect(logged).toEqual(lines);
});

it('an answer that is ended while nothing is asked of it is cut as well', async () => {
  let end: (error: Error) => void = () => {};
  const answer = await answered(
    new ReadableStream({
      start(controller) {
        end = (error) => controller.error(error);
      },
    }),
  );
  end(clientGone());
  await expect(bytesOf(answer)).rejects.toThrow('aborted');
  expect(printed).toEqual([]);
});

it('an answer that nothing happens to arrives whole, and its source is let go where its reader leaves', async () => {
  const whole = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes('all of it'));
      controller.close();
    },
  });
  expect(await bytesOf(await answered(whole, { 'content-length': '9' }))).toBe('all of it');
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => (leave = resolve));
  const endless = new ReadableStream<Uint8Array>(
    { pull: (controller) => controller.enqueue(bytes('a')), cancel: () => leave() },
    { highWaterMark: 0 },
  );
  (await answered(endless)).destroy();
  await left;
  expect(printed).toEqual([]);
  expect(logged).toEqual([]);
});
