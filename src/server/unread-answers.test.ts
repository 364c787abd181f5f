// Clients that ask for heavy lists and read nothing of them, against the real program with a small heap: it stays up, and
// answers everybody else.
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import type { Requester } from '../testing/instance.ts';
import { aMember } from '../testing/people.ts';
import { accountIdOf, ciphertext } from '../testing/planting.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { openEmbedded } from './db/open.ts';
import { LIST_WEIGHT } from './http/pages.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const HEAP_MB = 192;
const ENTRY = 1_300_000;
/** How many short entries a long vault has. */
const LONG = 5000;

let folder: ReturnType<typeof aDataDir>;
let server: ServerProcess;
const sockets: Socket[] = [];

beforeEach(async () => {
  folder = aDataDir();
  server = await startServer(inject('serverProgram'), {
    DATA_DIR: folder.dataDir,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.end('SIGKILL');
  folder.remove();
});

/** A client of the program, as tests speak to a server. */
const request: Requester = (method, path, { body, cookie, headers } = {}) =>
  fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });

/** Somebody with memories that nobody has sent: they are put into the program's database, beside it. */
async function aMemberWith(memories: { title: string; encrypted_content: string }[]) {
  const person = await aMember({ request });
  const { db } = await openEmbedded(join(folder.dataDir, 'latebra.db'));
  const accountId = await accountIdOf({ deps: { db } }, person);
  const times = { created_at: Date.now(), updated_at: Date.now(), time_lock_until: null };
  const rows = memories.map((memory) => ({
    ...{ ...memory, ...times, account_id: accountId, version: 1 },
    ...{ seal_id: null, key_fingerprint: null },
  }));
  await db.transaction().execute(async (tx) => {
    for (let i = 0; i < rows.length; i += 500)
      await tx
        .insertInto('memory_entries')
        .values(rows.slice(i, i + 500))
        .execute();
  });
  await db.destroy();
  return person;
}

/** Somebody whose list weighs as much as one answer may. */
const aHeavyVault = () =>
  aMemberWith(
    Array.from({ length: Math.ceil(LIST_WEIGHT / ENTRY) }, () => ({
      title: 'dA==',
      encrypted_content: ciphertext((ENTRY * 3) / 4),
    })),
  );

/** Somebody whose list weighs nearly as much, of thousands of short entries. */
const aLongVault = () =>
  aMemberWith(Array.from({ length: LONG }, () => ({ title: 'A'.repeat(1_800), encrypted_content: 'dA==' })));

/** Sends text and reads nothing, for as long as the server lets it. */
function mute(text: string): Promise<void> {
  const socket = createConnection({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => {});
  return new Promise((resolve) => socket.write(text, () => resolve()));
}

const asking = (cookie: string, path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`;

it.each([
  ['all of a list, 150 times in one packet', aHeavyVault, '/api/memory-entries', 4, 150],
  ['all of a list, over 80 connections', aHeavyVault, '/api/memory-entries', 80, 1],
  ['a page of a list, over 80 connections', aHeavyVault, '/api/memory-entries?limit=500', 80, 1],
  ['all of a list of short entries, over 80 connections', aLongVault, '/api/memory-entries', 80, 1],
])('stays up when somebody asks for %s and reads nothing', async (_, vault, path, connections, times) => {
  const greedy = await vault();
  const other = await aHeavyVault();
  const text = asking(greedy.cookie, path).repeat(times);
  await Promise.all(Array.from({ length: connections }, () => mute(text)));
  for (let i = 0; i < 3; i += 1) {
    const answer = await other.request('GET', '/api/memory-entries');
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as unknown[]).length).toBeGreaterThan(10);
  }
  // Whoever reads again is answered again, and told to wait while too much of theirs is under way.
  expect([200, 429]).toContain((await greedy.request('GET', '/api/memory-entries?limit=1')).status);
  expect((await request('GET', '/healthz')).status).toBe(200);
  expect(server.child.exitCode).toBe(null);
});
