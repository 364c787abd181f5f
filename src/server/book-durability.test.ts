// Changes with entries of the book, from several people at once: the server is killed in the midst of them, again and
// again. Afterwards each entry is there with its change, or neither is, and no number is missing.
import { afterEach, expect, inject, it } from 'vitest';
import type { SealedBookEntry } from '../shared/nouns/book.ts';
import type { Memory } from '../shared/nouns/memory.ts';
import { MINUTE } from '../shared/time.ts';
import { anEntry, withEntry } from '../testing/book.ts';
import { createPostgres, describeOnEachEngine } from '../testing/engines.ts';
import { aName, anAuthKey } from '../testing/people.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';

const main = inject('serverProgram');
const ROUNDS = 6;
const PEOPLE = 6;
const ACKNOWLEDGED_PER_ROUND = 60;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

interface Writer {
  cookie: string;
  /** The entries that were sent, by their numbers, and the last one that was acknowledged. */
  sent: Map<number, string>;
  acknowledged: number;
}

async function aWriter({ url }: ServerProcess): Promise<Writer> {
  const response = await fetch(`${url}/api/gate/passphrase/begin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: aName(), authKey: anAuthKey() }),
  });
  expect(response.status).toBe(201);
  return {
    cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    sent: new Map(),
    acknowledged: 0,
  };
}

/** Writes memories that are called as their entries are numbered, until the server is gone. */
async function writeOn({ url }: ServerProcess, writer: Writer, written: () => void): Promise<void> {
  for (let n = writer.acknowledged + 1; ; n += 1) {
    const entry = anEntry(n);
    writer.sent.set(n, entry.sealed);
    const answer = await fetch(`${url}/api/memory-entries`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: writer.cookie, ...withEntry(entry) },
      body: JSON.stringify({ title: `${n}`, encryptedContent: 'dA==' }),
    }).then(
      async (response) => ({ status: response.status, body: await response.text() }),
      () => null,
    );
    if (answer === null) return;
    expect(answer.status, answer.body).toBe(201);
    writer.acknowledged = n;
    written();
  }
}

/** What is there after a kill. The last entry may have been kept without an answer. */
async function expectWhole({ url }: ServerProcess, writer: Writer): Promise<void> {
  const ask = async (path: string) =>
    (await fetch(url + path, { headers: { cookie: writer.cookie } })).json();
  const entries = (await ask('/api/book?from=1')) as SealedBookEntry[];
  const memories = (await ask('/api/memory-entries')) as Memory[];
  const last = entries.at(-1)?.n ?? 0;
  expect([0, 1]).toContain(last - writer.acknowledged);
  expect(entries).toEqual(
    Array.from({ length: last }, (_, i) => ({ n: i + 1, sealed: writer.sent.get(i + 1) })),
  );
  expect(memories.map(({ title }) => Number(title)).reverse()).toEqual(entries.map(({ n }) => n));
  writer.acknowledged = last;
}

describeOnEachEngine('a server that is killed while it writes into books', (engine) => {
  it('keeps each change with its entry, and neither alone', { timeout: 3 * MINUTE }, async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    const database = engine === 'postgres' ? await createPostgres('migrated', 'direct') : null;
    if (database) cleanups.push(database.drop);
    const start = async () => {
      const server = await startServer(main, {
        DATA_DIR: dataDir,
        ...(database ? { DATABASE_URL: database.url } : {}),
      });
      cleanups.push(() => server.end('SIGKILL'));
      return server;
    };
    let writers: Writer[] = [];
    let total = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await start();
      if (round === 0) {
        writers = await Promise.all(Array.from({ length: PEOPLE }, () => aWriter(server)));
      }
      for (const writer of writers) await expectWhole(server, writer);
      const until = total + ACKNOWLEDGED_PER_ROUND;
      let enough = () => {};
      const reached = new Promise<void>((resolve) => {
        enough = resolve;
      });
      const over = Promise.all(
        writers.map((writer) =>
          writeOn(server, writer, () => {
            total += 1;
            if (total >= until) enough();
          }),
        ),
      );
      await Promise.race([reached, over]);
      await server.end('SIGKILL');
      await over;
    }
    const server = await start();
    for (const writer of writers) await expectWhole(server, writer);
    expect(await server.end()).toBe(0);
    expect(total).toBeGreaterThanOrEqual(ROUNDS * ACKNOWLEDGED_PER_ROUND);
  });
});
