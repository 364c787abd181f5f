// The book's header over a real connection, as a stranger to its rules would send it: twice, too long, beside any method; and
// a change that fails, whose entry must fail with it.
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { BOOK_HEADER } from '../../../shared/http/call.ts';
import type { SealedBookEntry } from '../../../shared/nouns/book.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { MINUTE } from '../../../shared/time.ts';
import { anEntry, withEntry } from '../../../testing/book.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { startListening } from '../../../testing/listening-server.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { aDataDir } from '../../../testing/server-program.ts';
import { writeWebRoot } from '../../../testing/web-files.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const MEMORIES = '/api/memory-entries';
const BODY = { title: 'dA==', encryptedContent: 'dA==' };

let instance: TestInstance;
let person: Person;
beforeAll(async () => {
  instance = await openTestInstance();
});
afterAll(() => instance.close());
beforeEach(async () => {
  instance.clock.advance(10 * MINUTE);
  person = await signUpByPassphrase(instance);
});

const entriesOf = async () => (await (await person.request('GET', '/api/book')).json()) as SealedBookEntry[];
const create = (headers = {}) => person.request('POST', MEMORIES, { body: BODY, headers });

it('an entry goes with its change: neither stays of a change that fails', async () => {
  const { id } = (await (await create()).json()) as Memory;
  const gone = await person.request('DELETE', `${MEMORIES}/${id + 1000}`, { headers: withEntry(anEntry(1)) });
  expect(gone.status).toBe(404);
  const stale = await person.request('PATCH', `${MEMORIES}/${id}`, {
    body: { ...BODY, version: 9 },
    headers: withEntry(anEntry(1)),
  });
  expect(stale.status).toBe(409);
  const wrong = await person.request('POST', MEMORIES, {
    body: { title: 7 },
    headers: withEntry(anEntry(1)),
  });
  expect(wrong.status).toBe(422);
  expect(await entriesOf()).toEqual([]);
  const deleted = await person.request('DELETE', `${MEMORIES}/${id}`, { headers: withEntry(anEntry(1)) });
  expect(deleted.status).toBe(204);
  expect(await entriesOf()).toHaveLength(1);
});

it.each(['HEAD', 'OPTIONS', 'PURGE'])('%s takes no entry and leaves none', async (method) => {
  const answer = await person.request(method, MEMORIES, { headers: withEntry(anEntry(1)) });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(await entriesOf()).toEqual([]);
});

it('a thousand entries one after the other are all kept, in their order', async () => {
  const entries = Array.from({ length: 1_000 }, (_, i) => anEntry(i + 1, 120));
  for (const entry of entries) expect((await create(withEntry(entry))).status).toBe(201);
  expect(await entriesOf()).toEqual(entries);
  // A hundred at once that all want the last number, or one far away.
  const late = await Promise.all(
    Array.from({ length: 100 }, (_, i) => create(withEntry(anEntry(i % 2 === 0 ? 1_000 : 2 ** 31 - 1)))),
  );
  for (const answer of late) expect(await failure(answer)).toEqual({ status: 409, code: 'book-moved' });
  expect(await entriesOf()).toHaveLength(1_000);
});

/** A real server, and somebody who is signed in there. */
async function overTheWire(work: (send: Send) => Promise<void>): Promise<void> {
  const { dataDir, remove } = aDataDir();
  const web = writeWebRoot();
  const running = await startListening({ DATA_DIR: dataDir }, web.root);
  const url = `http://localhost:${running.port}`;
  const authKey = Buffer.alloc(32, 7).toString('base64url');
  const signedUp = await fetch(`${url}/api/gate/passphrase/begin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'agnes', authKey }),
  });
  expect(signedUp.status).toBe(201);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const send: Send = (method, path, values, body) =>
    new Promise((resolve, reject) => {
      const headers = { cookie, 'content-type': 'application/json', [BOOK_HEADER]: values };
      const sent = request(`${url}${path}`, { method, headers }, (answer: IncomingMessage) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  try {
    await work(send);
  } finally {
    await running.stop();
    web.remove();
    remove();
  }
}
type Send = (
  method: string,
  path: string,
  values: string[],
  body?: object,
) => Promise<{ status: number; text: string }>;

it('over a real connection, two entries are refused, and so is a flood of them; what is right is taken', async () => {
  await overTheWire(async (send) => {
    const value = (n: number, size = 300) => Object.values(withEntry(anEntry(n, size)))[0] ?? '';
    const two = await send('POST', MEMORIES, [value(1), value(2)], BODY);
    expect(two.status).toBe(400);
    expect(two.text).toContain('bad-request');
    // What is longer than any header may be does not even reach the app.
    const flood = await send('POST', MEMORIES, Array(200).fill(value(1)), BODY);
    expect(flood.status).toBe(431);
    const long = await send('POST', MEMORIES, [value(1, 9_000)], BODY);
    expect(long.status).toBe(413);
    const latin = await send('POST', MEMORIES, ['1.\u00c3\u00a4AA'], BODY);
    expect(latin.status).toBe(400);
    const head = await send('HEAD', MEMORIES, [value(1)]);
    expect(head.status).toBeGreaterThanOrEqual(400);
    expect((await send('POST', MEMORIES, [value(1)], BODY)).status).toBe(201);
  });
});
