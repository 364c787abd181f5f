// A memory that was acknowledged is there afterwards: the server, or PostgreSQL itself, is killed in the middle of
// writes from several connections, again and again. A client that only ever asks what has changed knows the same.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { ReplyOf } from '../shared/http/call.ts';
import type { changes } from '../shared/nouns/changes.ts';
import type { Memory } from '../shared/nouns/memory.ts';
import { MINUTE } from '../shared/time.ts';
import { createPostgres, describeOnPostgres } from '../testing/engines.ts';
import { aName, anAuthKey } from '../testing/people.ts';
import { startCluster } from '../testing/postgres-cluster.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { SqliteConnection } from './db/sqlite-driver.ts';

const main = inject('serverProgram');
const PATH = '/api/memory-entries';
const CONNECTIONS = 6;
const ACKNOWLEDGED_PER_ROUND = 40;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const wordsFor = (title: string) => createHash('sha512').update(title).digest('base64').repeat(20);

async function signUp(url: string): Promise<string> {
  const response = await fetch(`${url}/api/gate/passphrase/begin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: aName(), authKey: anAuthKey() }),
  });
  expect(response.status).toBe(201);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/**
 * Writes from several connections at once until writing fails.
 * @param acknowledged collects the titles of memories whose answer has come
 * @returns resolves when enough have been acknowledged, while more are on their way
 */
function writeOn(url: string, cookie: string, round: number, acknowledged: Set<string>) {
  const until = acknowledged.size + ACKNOWLEDGED_PER_ROUND;
  let enough = () => {};
  const reached = new Promise<void>((resolve) => {
    enough = resolve;
  });
  async function write(connection: number): Promise<void> {
    for (let n = 0; ; n += 1) {
      const title = `round ${round}, connection ${connection}, memory ${n}`;
      const body = JSON.stringify({ title, encryptedContent: wordsFor(title) });
      const headers = { 'content-type': 'application/json', cookie };
      const answer = await fetch(url + PATH, { method: 'POST', headers, body }).then(
        async (response) => ({ status: response.status, memory: (await response.json()) as Memory }),
        () => null,
      );
      if (answer?.status !== 201) return;
      expect(answer.memory.title).toBe(title);
      acknowledged.add(title);
      if (acknowledged.size >= until) enough();
    }
  }
  const over = Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => write(i)));
  return { reached: Promise.race([reached, over]), over };
}

/** A client that reads everything once, and then only what has changed since. Answers the titles that it knows. */
function aFollower() {
  const titles = new Map<number, string>();
  let place = '';
  return async (url: string, cookie: string): Promise<Set<string>> => {
    for (;;) {
      const since = place === '' ? '' : `?since=${place}`;
      const response = await fetch(`${url}/api/changes${since}`, { headers: { cookie } });
      const reply = (await response.json()) as ReplyOf<typeof changes.list>;
      expect(reply.anew).toBe(place === '');
      for (const change of reply.changes)
        if ('row' in change && change.kind === 'memory') titles.set(change.row.id, change.row.title);
      place = reply.next;
      if (!reply.more) return new Set(titles.values());
    }
  };
}

/** Every acknowledged memory is there, whatever is there is whole, and a client that follows the changes has the same. */
async function expectAll(
  url: string,
  cookie: string,
  acknowledged: Set<string>,
  follow: ReturnType<typeof aFollower>,
): Promise<void> {
  const found = new Set<string>();
  let next: string | undefined = `${PATH}?limit=500`;
  while (next) {
    const response: Response = await fetch(url + next, { headers: { cookie } });
    expect(response.status).toBe(200);
    for (const { title, encryptedContent } of (await response.json()) as Memory[]) {
      expect(encryptedContent).toBe(wordsFor(title));
      expect(found.has(title)).toBe(false);
      found.add(title);
    }
    next = /^<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
  }
  expect([...acknowledged].filter((title) => !found.has(title))).toEqual([]);
  expect(await follow(url, cookie)).toEqual(found);
}

/** Waits for the server to have noticed that its database went or came back. */
async function untilReady(url: string, status: 200 | 503): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== status);
}

/** Starts, checks what the last round left, writes, kills; and so on. */
async function killAgainAndAgain(
  rounds: number,
  start: () => Promise<ServerProcess>,
  afterKill: () => void = () => {},
): Promise<number> {
  const acknowledged = new Set<string>();
  const follow = aFollower();
  let cookie = '';
  for (let round = 0; round < rounds; round += 1) {
    const server = await start();
    cookie ||= await signUp(server.url);
    await expectAll(server.url, cookie, acknowledged, follow);
    const { reached, over } = writeOn(server.url, cookie, round, acknowledged);
    await reached;
    await server.end('SIGKILL');
    await over;
    afterKill();
  }
  const server = await start();
  await expectAll(server.url, cookie, acknowledged, follow);
  expect(await server.end()).toBe(0);
  return acknowledged.size;
}

const ROUNDS = 20;

describe('a server that is killed while it writes (embedded database)', () => {
  it(`loses no acknowledged memory in ${ROUNDS} rounds`, { timeout: 3 * MINUTE }, async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    const kept = await killAgainAndAgain(
      ROUNDS,
      () => startServer(main, { DATA_DIR: dataDir }),
      () => {
        const database = new SqliteConnection(join(dataDir, 'latebra.db'));
        expect(database.rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
        expect(database.rows('pragma foreign_key_check')).toEqual([]);
        database.close();
      },
    );
    expect(kept).toBeGreaterThanOrEqual(ROUNDS * ACKNOWLEDGED_PER_ROUND);
  });
});

describeOnPostgres('a server that is killed while it writes', () => {
  it(`loses no acknowledged memory in ${ROUNDS} rounds`, { timeout: 3 * MINUTE }, async () => {
    const { dataDir, remove } = aDataDir();
    const { url, drop } = await createPostgres('migrated', 'direct');
    cleanups.push(remove, drop);
    const kept = await killAgainAndAgain(ROUNDS, () =>
      startServer(main, { DATA_DIR: dataDir, DATABASE_URL: url }),
    );
    expect(kept).toBeGreaterThanOrEqual(ROUNDS * ACKNOWLEDGED_PER_ROUND);
  });
});

describeOnPostgres('a database that is killed while it writes', () => {
  it('loses no acknowledged memory, and the server finds it again by itself', {
    timeout: 3 * MINUTE,
  }, async () => {
    const cluster = await startCluster({ durable: true });
    if (!cluster) throw new Error('PostgreSQL has gone.');
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove, () => cluster.stop());
    const server = await startServer(main, { DATA_DIR: dataDir, DATABASE_URL: cluster.url('postgres') });
    cleanups.push(() => server.end('SIGKILL'));
    const cookie = await signUp(server.url);
    const acknowledged = new Set<string>();
    const follow = aFollower();
    for (let round = 0; round < 5; round += 1) {
      const { reached, over } = writeOn(server.url, cookie, round, acknowledged);
      await reached;
      await cluster.crash();
      await over;
      await untilReady(server.url, 503);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      await cluster.restart();
      await untilReady(server.url, 200);
      await expectAll(server.url, cookie, acknowledged, follow);
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(5 * ACKNOWLEDGED_PER_ROUND);
    expect(await server.end()).toBe(0);
  });
});
