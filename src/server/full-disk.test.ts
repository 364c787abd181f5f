// A disk that takes no more: writes are refused with a sentence, reading goes on, `/readyz` tells of it, nothing that was
// acknowledged is lost, and the server goes on by itself once there is room. A limit of a database, or of the files of a
// process, stands for the disk: both work without a file system of their own.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Memory } from '../shared/nouns/memory.ts';
import { MINUTE } from '../shared/time.ts';
import { describeOnPostgres } from '../testing/engines.ts';
import { freePort } from '../testing/free-port.ts';
import { failure, openTestInstance, type TestInstance } from '../testing/instance.ts';
import { aMember, aName, anAuthKey } from '../testing/people.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { isStorageFull, UndoneWithOthers } from './db/away.ts';

const MEMORIES = '/api/memory-entries';
const FULL = { status: 507, code: 'storage-full' };
const memory = (size = 2000) => ({ title: 'dA==', encryptedContent: 'A'.repeat(size) });

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

describe('an error', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code });

  it.each([
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    'SQLITE_READONLY',
    'SQLITE_READONLY_DIRECTORY',
    '53100',
    'ENOSPC',
    'EDQUOT',
    'EROFS',
    'EFBIG',
  ])('%s says that a disk takes nothing, also as the cause of another one', (code) => {
    expect(isStorageFull(withCode(code))).toBe(true);
    expect(isStorageFull(new UndoneWithOthers(withCode(code)))).toBe(true);
  });

  it.each(['SQLITE_BUSY', 'SQLITE_IOERR_READ', 'SQLITE_CORRUPT', '53300', '53200', 'ENOENT', undefined])(
    '%s does not',
    (code) => {
      expect(isStorageFull(code === undefined ? null : withCode(code))).toBe(false);
    },
  );
});

/** What holds on either engine, once the database takes nothing. */
async function expectOnlyReading(instance: TestInstance, person: Awaited<ReturnType<typeof aMember>>) {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => person.request('POST', MEMORIES, { body: memory(60_000) })),
  );
  expect(await Promise.all(answers.map(failure))).toEqual(answers.map(() => FULL));
  expect(await failure(await instance.request('GET', '/readyz'))).toEqual(FULL);
  expect((await instance.request('GET', '/healthz')).status).toBe(200);
  const told = instance.log.filter(({ msg }) => String(msg).startsWith('the disk is full'));
  expect(told).toHaveLength(1);
  expect(instance.log.some(({ msg }) => msg === 'an answer failed')).toBe(false);
  // A quarter of an hour later a session's last use would be written down.
  instance.clock.advance(20 * MINUTE);
  const read = await person.request('GET', MEMORIES);
  expect(read.status).toBe(200);
  expect(await read.json()).toHaveLength(1);
  const token = { authorization: 'Bearer a-token-of-sixteen' };
  const figures = await (await instance.request('GET', '/metrics', { headers: token })).text();
  expect(figures).toContain('\nlatebra_storage_full 1\n');
}

async function expectWriting(instance: TestInstance, person: Awaited<ReturnType<typeof aMember>>) {
  expect((await person.request('POST', MEMORIES, { body: memory(60_000) })).status).toBe(201);
  // What the tick does, which writes.
  instance.deps.storage.stored();
  expect((await instance.request('GET', '/readyz')).status).toBe(200);
  expect(instance.log.at(-1)).toMatchObject({ msg: 'the disk takes writes again' });
}

const env = { METRICS_TOKEN: 'a-token-of-sixteen', LOG_LEVEL: 'info' };

describe('a full disk (embedded database)', () => {
  it('refuses writes with 507 and reads on, and takes them again when there is room', async () => {
    const instance = await openTestInstance({ env });
    cleanups.push(() => instance.close());
    const person = await aMember(instance);
    expect((await person.request('POST', MEMORIES, { body: memory() })).status).toBe(201);
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(instance.deps.db);
    const limit = (pages: number) =>
      sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(instance.deps.db);
    await limit(rows[0]?.page_count ?? 0);
    await expectOnlyReading(instance, person);
    await limit(1_000_000);
    await expectWriting(instance, person);
  });
});

describeOnPostgres('a full disk', () => {
  it('refuses writes with 507 and reads on, and takes them again when there is room', async () => {
    const instance = await openTestInstance({ engine: 'postgres', env });
    cleanups.push(() => instance.close());
    const person = await aMember(instance);
    expect((await person.request('POST', MEMORIES, { body: memory() })).status).toBe(201);
    const { db } = instance.deps;
    await sql`create function no_room() returns trigger language plpgsql as $$
      begin raise exception using errcode = 'disk_full', message = 'could not extend file'; end $$`.execute(
      db,
    );
    for (const table of ['memory_entries', 'sessions']) {
      await sql`create trigger no_room before insert or update or delete on ${sql.table(table)}
        for each statement execute function no_room()`.execute(db);
    }
    await expectOnlyReading(instance, person);
    // The session cannot be ended, and the browser forgets it.
    const leaving = await person.request('GET', '/api/logout');
    expect(leaving.headers.get('set-cookie')).toMatch(/^latebra-session=; Max-Age=0/);
    expect(await failure(leaving)).toEqual(FULL);
    await sql`drop function no_room cascade`.execute(db);
    await expectWriting(instance, person);
  });
});

const main = inject('serverProgram');
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;
/** Limits the size that a file of a process may have, in bytes. */
const limitFiles = (pid: number | undefined, bytes: number | 'unlimited') =>
  expect(spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]).status).toBe(0);

const largest = (folder: string) =>
  Math.max(...readdirSync(folder).map((name) => statSync(join(folder, name)).size));

/** A person of a server with a port. */
async function signUp(url: string) {
  const send = (method: string, path: string, body?: unknown, cookie = '') =>
    fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const begun = await send('POST', '/api/gate/passphrase/begin', { name: aName(), authKey: anAuthKey() });
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { cookie, call: (method: string, path: string, body?: unknown) => send(method, path, body, cookie) };
}

describe.skipIf(!hasPrlimit)('the program on a full disk, with a heap of 256 MB,', () => {
  it('refuses, goes on by itself, and after it was killed has everything that it has acknowledged', async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    const settings = { DATA_DIR: dataDir, NODE_OPTIONS: '--max-old-space-size=256' };
    const start = async (): Promise<ServerProcess> => {
      const server = await startServer(main, settings);
      cleanups.push(() => server.end('SIGKILL'));
      return server;
    };
    const server = await start();
    const { call, cookie } = await signUp(server.url);
    const acknowledged = new Map<number, string>();
    let refused = 0;
    /** Writes from eight connections until each has been refused some times. */
    const fill = (tag: string) =>
      Promise.all(
        Array.from({ length: 8 }, async (_, connection) => {
          for (let n = 0, refusals = 0; refusals < 5; n += 1) {
            const title = Buffer.from(`${tag} ${connection} ${n}`).toString('base64');
            const answer = await call('POST', MEMORIES, { ...memory(40_000), title });
            if (answer.status === 201) acknowledged.set(((await answer.json()) as Memory).id, title);
            else {
              expect(await failure(answer)).toEqual(FULL);
              refusals += 1;
              refused += 1;
            }
          }
        }),
      );
    limitFiles(server.child.pid, largest(dataDir) + 1_000_000);
    await fill('first');
    expect(refused).toBe(40);
    expect(await failure(await fetch(`${server.url}/readyz`))).toEqual(FULL);
    expect((await call('GET', `${MEMORIES}?limit=500`)).status).toBe(200);

    limitFiles(server.child.pid, 'unlimited');
    // Its tick is tried again after some seconds; or a person writes.
    const title = 'dGhlIGZpcnN0IGFnYWlu';
    const again = await call('POST', MEMORIES, { ...memory(), title });
    expect(again.status).toBe(201);
    acknowledged.set(((await again.json()) as Memory).id, title);

    limitFiles(server.child.pid, largest(dataDir) + 200_000);
    await fill('second');
    await server.end('SIGKILL');
    const next = await start();
    const all = (await (await fetch(`${next.url}${MEMORIES}`, { headers: { cookie } })).json()) as Memory[];
    expect(new Map(all.map(({ id, title: kept }) => [id, kept]))).toEqual(acknowledged);
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
  });

  it('goes on where its log is on that disk', async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    const port = await freePort();
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH ?? '', PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'debug' },
      stdio: ['ignore', full, full],
    });
    cleanups.push(() => child.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}`;
    while (
      !(await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => child.exitCode !== null,
      ))
    );
    const { call } = await signUp(url);
    for (let n = 0; n < 20; n += 1) expect((await call('POST', MEMORIES, memory())).status).toBe(201);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    closeSync(full);
  });

  /** Starts it and waits for its end, or for the line that says that it listens. */
  const started = (before: string[], dataDir: string) =>
    spawnSync(before[0] ?? '', [...before.slice(1), process.execPath, main], {
      env: { PATH: process.env.PATH ?? '', PORT: '0', HOST: '203.0.113.1', DATA_DIR: dataDir },
      encoding: 'utf8',
    });

  it('does not start, and says why in a sentence, however far it comes', async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    // It comes as far as its address, which is none of this machine, where there is room enough.
    const said = [0, 30, 2000, 20_000, 300_000].map((bytes) =>
      started(['prlimit', `--fsize=${bytes}`], dataDir),
    );
    for (const { status, stdout, stderr } of said) {
      expect(status).toBe(1);
      expect(stderr).not.toMatch(/\n\s+at |node_modules/);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stdout).toBe('');
    }
    expect(said[0]?.stderr).toContain(
      `the disk of the data folder ${dataDir}, or of the database, is full, has reached a limit, or is read-only`,
    );
    expect(started(['env'], dataDir).stderr).toContain('cannot listen on 203.0.113.1');
    for (const bytes of [0, 20_000]) {
      const again = started(['prlimit', `--fsize=${bytes}`], dataDir);
      expect(again.status).toBe(1);
      expect(again.stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  it('does not start in a folder that it may not write to, and says so', async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    mkdirSync(dataDir, { mode: 0o500 });
    // Root may write everywhere unless it gives that up.
    const humbled = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'];
    const { status, stderr } = started(process.getuid?.() === 0 ? humbled : ['env'], dataDir);
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(
      /^The data folder \S+ cannot be used \(\w+\): the server may not write there\. Give it to the user that runs the server\.$/,
    );
  });
});
