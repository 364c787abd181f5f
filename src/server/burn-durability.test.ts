// Notes that burn, written and read by many at once, so that a commit holds several of them: the server is killed in the
// midst of it, again and again. What was answered has happened, once; nothing has happened by half; and what was burned
// stands in no file.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, inject, it } from 'vitest';
import type { Ghost } from '../shared/nouns/ghost.ts';
import { DAY, MINUTE } from '../shared/time.ts';
import { createPostgres, describeOnEachEngine } from '../testing/engines.ts';
import { aName, anAuthKey } from '../testing/people.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { type OpenedDatabase, openEmbedded, openPostgres } from './db/open.ts';

const main = inject('serverProgram');
const PATH = '/api/ghost-entries';
const ROUNDS = 5;
const CONNECTIONS = 12;
const BURNED_PER_ROUND = 40;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

interface Note {
  id: number;
  words: string;
  /** Whether somebody has asked to read it, and whether the words came. */
  asked: boolean;
  burned: boolean;
}

async function post(server: ServerProcess, path: string, cookie: string, body?: unknown) {
  const headers = { cookie, ...(body ? { 'content-type': 'application/json' } : {}) };
  const init = { method: 'POST', headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  return fetch(server.url + path, init).then(
    async (response) => ({ status: response.status, body: (await response.json()) as Ghost, response }),
    () => null,
  );
}

/** Each connection writes a note and has it burned, two readers at once, until the server is gone. */
async function burnOn(server: ServerProcess, cookie: string, notes: Note[], enough: () => void) {
  const until = notes.length + BURNED_PER_ROUND;
  async function go(): Promise<void> {
    for (;;) {
      const words = randomBytes(600).toString('base64');
      const expiresAt = new Date(Date.now() + DAY).toISOString();
      const made = await post(server, PATH, cookie, { encryptedContent: words, maxReads: 1, expiresAt });
      if (made?.status !== 201) return;
      const note: Note = { id: made.body.id, words, asked: false, burned: false };
      notes.push(note);
      // Some of them stay.
      if (notes.length % 4 === 0) continue;
      note.asked = true;
      const read = () => post(server, `${PATH}/${note.id}/read`, cookie);
      const answers = await Promise.all([read(), read()]);
      const winners = answers.filter((answer) => answer?.status === 200);
      expect(winners.length).toBeLessThanOrEqual(1);
      for (const winner of winners) expect(winner?.body.encryptedContent).toBe(words);
      note.burned = winners.length === 1;
      if (notes.length >= until) enough();
      if (answers.some((answer) => answer === null)) return;
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, go));
}

/** What the database holds, looked at while no server runs. */
async function expectWhole({ db }: OpenedDatabase, notes: Note[]): Promise<void> {
  const rows = await db
    .selectFrom('ghost_entries')
    .leftJoin('ghost_words', 'ghost_words.ghost_id', 'ghost_entries.id')
    .select(['ghost_entries.id', 'current_reads', 'encrypted_content'])
    .execute();
  for (const { current_reads, encrypted_content } of rows) {
    expect(current_reads === 1 ? encrypted_content === null : encrypted_content !== null).toBe(true);
  }
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const { id, words, asked, burned } of notes) {
    const row = found.get(id);
    expect(row).toBeDefined();
    if (!asked) expect(row?.encrypted_content?.trim()).toBe(words);
    if (burned) expect(row?.encrypted_content).toBeNull();
  }
  const { rows: counted } = await sql<{ n: number; ghosts: number }>`
    select (select count(*) from ghost_words) as n, (select sum(ghosts) from usage) as ghosts`.execute(db);
  expect(Number(counted[0]?.ghosts)).toBe(Number(counted[0]?.n));
}

function expectNoTrace(dataDir: string, notes: Note[]): void {
  const files = readdirSync(dataDir)
    .filter((name) => name.startsWith('latebra.db'))
    .map((name) => readFileSync(join(dataDir, name)).toString('latin1'));
  const traces = notes.filter(
    ({ burned, words }) => burned && files.some((file) => file.includes(words.slice(0, 40))),
  );
  expect(traces).toEqual([]);
}

describeOnEachEngine('a server that is killed while notes burn', (engine) => {
  it(`has burned what it has answered and nothing else, in ${ROUNDS} rounds`, {
    timeout: 3 * MINUTE,
  }, async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    const env: Record<string, string> = { DATA_DIR: dataDir };
    let look = () => openEmbedded(join(dataDir, 'latebra.db'));
    if (engine === 'postgres') {
      const { url, drop } = await createPostgres('migrated', 'direct');
      cleanups.push(drop);
      env.DATABASE_URL = url;
      look = () => openPostgres(url, { poolSize: 1 });
    }
    const notes: Note[] = [];
    let cookie = '';
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await startServer(main, env);
      cleanups.push(() => server.end('SIGKILL'));
      if (!cookie) {
        const begun = await post(server, '/api/gate/passphrase/begin', '', {
          name: aName(),
          authKey: anAuthKey(),
        });
        cookie = begun?.response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      }
      let over: Promise<void> = Promise.resolve();
      await new Promise<void>((resolve) => {
        over = burnOn(server, cookie, notes, resolve);
        void over.then(resolve, resolve);
      });
      await server.end('SIGKILL');
      await over;
      if (engine === 'sqlite') expectNoTrace(dataDir, notes);
      const opened = await look();
      await expectWhole(opened, notes);
      await opened.db.destroy();
    }
    expect(notes.filter(({ burned }) => burned).length).toBeGreaterThan(ROUNDS * 20);
  });
});
