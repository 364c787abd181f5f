// How many raw bodies are received at a time, and who makes room. Streams that never end stand for senders that are slow.
import { Hono } from 'hono';
import { beforeEach, expect, it } from 'vitest';
import { testClock } from '../../testing/clock.ts';
import { readConfig } from '../config.ts';
import type { AppError } from '../errors.ts';
import { uploadLimits } from '../upload-limits.ts';
import { rawBodyReader } from './raw-body.ts';

let app: Hono;
beforeEach(() => {
  const parts = { config: readConfig({}), uploads: { limits: uploadLimits, elapsed: testClock().now } };
  const row = { type: 'application/json', maxBytes: 100, class: 'clear', says: 'something' } as const;
  const reader = rawBodyReader(parts, row, { atOnce: 4, perAddress: 2 });
  app = new Hono();
  app.post('/', async (c) => c.text((await reader.read(c)).toString()));
  app.onError((error, c) => c.text((error as AppError).code, 500));
});

const send = (from: string, body: string | ReadableStream) =>
  app.request(
    new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit),
    undefined,
    { incoming: { socket: { remoteAddress: from } } },
  );

/** Begins to send, and never ends. */
function trickle(from: string) {
  const slow = { has: 'no answer' };
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
  const answer = Promise.resolve(send(from, body)).then(async (response) => {
    slow.has = await response.text();
  });
  return { slow, answer };
}

it('a third body of one address ends its first, and those of others stay', async () => {
  const other = trickle('192.0.2.9');
  const [first, second] = [trickle('192.0.2.1'), trickle('192.0.2.1')];
  const answer = await send('192.0.2.1', '{}');
  expect(await answer.text()).toBe('{}');
  await first.answer;
  expect([first, second, other].map(({ slow }) => slow.has)).toEqual(['busy', 'no answer', 'no answer']);
});

it('however many addresses send slowly, what is sent at once is received', async () => {
  const slow = Array.from({ length: 40 }, (_, n) => trickle(`198.51.100.${n}`));
  expect(await (await send('192.0.2.1', '{"a":1}')).text()).toBe('{"a":1}');
  await Promise.all(slow.slice(0, 37).map(({ answer }) => answer));
  expect(slow.filter(({ slow }) => slow.has === 'no answer')).toHaveLength(3);
});

it('a body that is too large is refused, and gives its place back', async () => {
  expect(await (await send('192.0.2.1', 'x'.repeat(101))).text()).toBe('too-large');
  const [first, second] = [trickle('192.0.2.1'), trickle('192.0.2.1')];
  expect([first, second].map(({ slow }) => slow.has)).toEqual(['no answer', 'no answer']);
});
