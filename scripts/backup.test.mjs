// A backup is worth what comes back from it: it is taken while the server writes, restored elsewhere, and read.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createPostgres } from '../src/testing/engines.ts';
import { aFile, read, sendFile } from '../src/testing/files.ts';
import { startListening } from '../src/testing/listening-server.ts';
import { anAuthKey } from '../src/testing/people.ts';
import { writeWebRoot } from '../src/testing/web-files.ts';
import { backUpDated } from './backup.mjs';
import { damagedParts } from './check-backup.mjs';
import { findPostgres } from './find-programs.mjs';

// Every row waits for the disk, and a busy machine makes it wait longer.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const script = fileURLToPath(new URL('./backup.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'latebra-backup-'));
const web = writeWebRoot();
afterAll(() => {
  web.remove();
  rmSync(folder, { recursive: true });
});

/** A server on a port of its own, and one person in it. */
async function open(env) {
  const instance = await startListening(env, web.root);
  let cookie = '';
  async function call(method, path, body) {
    const response = await fetch(`http://localhost:${instance.port}${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response.json();
  }
  return {
    request: (method, path, { body, headers } = {}) =>
      fetch(`http://localhost:${instance.port}${path}`, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }), ...headers },
        body: body instanceof Uint8Array ? body : body && JSON.stringify(body),
      }),
    stop: () => instance.stop(),
    tick: () => instance.tick(),
    switchState: () => call('GET', '/api/switch'),
    begin: (person) => call('POST', '/api/gate/passphrase/begin', person),
    enter: (person) => call('POST', '/api/gate/passphrase/enter', person),
    saltOf: (name) => call('POST', '/api/gate/passphrase/salt', { name }),
    /** Returns the number of the row once the server has acknowledged it. */
    keep: async (text) =>
      (await call('POST', '/api/memory-entries', { title: text, encryptedContent: text })).id,
    async list() {
      const all = new Map();
      for (let before = ''; ; ) {
        const page = await call('GET', `/api/memory-entries?limit=500${before}`);
        for (const row of page) all.set(row.id, row.title);
        if (page.length < 500) return all;
        before = `&before=${page.at(-1).id}`;
      }
    },
  };
}

/** Writes without pause until it is told to stop. Returns what was acknowledged, as it grows. */
function writeOn(instance, kept) {
  let forward = true;
  const done = (async () => {
    for (let n = 0; forward; n += 1) {
      const text = `written meanwhile ${n}`;
      kept.set(await instance.keep(text), text);
    }
  })();
  return async () => {
    forward = false;
    await done;
  };
}

const aPerson = () => ({ name: 'Agnes', authKey: anAuthKey() });

async function keepSome(instance, kept) {
  for (let n = 0; n < 300; n += 1)
    kept.set(await instance.keep(`written before ${n}`), `written before ${n}`);
}

function expectAll(found, acknowledged) {
  const lost = [...acknowledged].filter(([id, text]) => found.get(id) !== text);
  expect(lost).toEqual([]);
}

async function copyOf(backup) {
  const copy = `${backup}-restored`;
  await cp(backup, copy, { recursive: true });
  return copy;
}

function damagedPartsIn(backup) {
  const database = new DatabaseSync(join(backup, 'latebra.db'), { readOnly: true });
  try {
    return damagedParts(database, join(backup, 'files'));
  } finally {
    database.close();
  }
}

/** Runs the script as an operator would, in a process of its own. */
function runBackup(dataDir, ...args) {
  return runBackupWith({ DATA_DIR: dataDir }, ...args);
}

function runBackupWith(settings, ...args) {
  const env = { PATH: process.env.PATH, ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
}

test('a backup takes files along, shares their parts between dated copies, and notices one that is missing', async () => {
  const ownDir = join(folder, 'data-with-files');
  const owner = aPerson();
  const instance = await open({ DATA_DIR: ownDir });
  await instance.begin(owner);
  const file = await sendFile(instance, aFile(600_000));
  const dated = join(folder, 'dated-with-files');
  const [first, second] = [
    await backUpDated(ownDir, dated, 3, Date.parse('2030-01-01T03:00:00Z')),
    await backUpDated(ownDir, dated, 3, Date.parse('2030-01-02T03:00:00Z')),
  ].map(({ target }) => target);
  const partsIn = (copy) =>
    readdirSync(join(copy, 'files'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  expect(partsIn(first)).toHaveLength(3);
  expect(partsIn(second).map((path) => statSync(path).ino)).toEqual(
    partsIn(first).map((path) => statSync(path).ino),
  );
  expect(statSync(partsIn(first)[0]).mode & 0o777).toBe(0o600);

  const restored = await open({ DATA_DIR: await copyOf(second) });
  await restored.enter(owner);
  expect(Buffer.from(await (await read(restored, file)).arrayBuffer()).equals(file.content)).toBe(true);
  await restored.stop();
  await instance.stop();

  expect(damagedPartsIn(second)).toBe(0);
  const rotten = partsIn(second)[1];
  const bytes = readFileSync(rotten);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(rotten, bytes);
  expect(damagedPartsIn(second)).toBe(1);
  rmSync(partsIn(second)[0]);
  writeFileSync(partsIn(second)[0], 'cut short');
  expect(damagedPartsIn(second)).toBe(2);
});

test('a backup leaves files in their bucket, and says so', async () => {
  const ownDir = join(folder, 'data-of-a-bucket');
  const owner = aPerson();
  const instance = await open({ DATA_DIR: ownDir });
  await instance.begin(owner);
  await sendFile(instance, aFile(1000));
  await instance.stop();
  const target = join(folder, 'without-files');
  const settings = { DATA_DIR: ownDir, FILES_S3_URL: 'https://s3.example.org/files' };
  const { code, said } = await runBackupWith(settings, target);
  expect(said).toContain('The files of entries stand in the bucket of FILES_S3_URL and are not in it');
  expect(code).toBe(0);
  expect(readdirSync(target)).not.toContain('files');
});

describe('the embedded database', () => {
  const dataDir = join(folder, 'data');
  const person = aPerson();
  let instance;
  beforeAll(async () => {
    instance = await open({ DATA_DIR: dataDir });
    await instance.begin(person);
  });
  afterAll(() => instance.stop());

  test('is copied while the server writes, and every row that was acknowledged comes back', async () => {
    const kept = new Map();
    await keepSome(instance, kept);
    const stopWriting = writeOn(instance, kept);
    while (kept.size < 320) await new Promise(setImmediate);

    const before = new Map(kept);
    const target = join(folder, 'copies', 'first');
    expect(await runBackup(dataDir, target)).toMatchObject({
      code: 0,
      said: expect.stringContaining('until its administrator confirms'),
    });
    const during = kept.size - before.size;
    await stopWriting();
    expect(during).toBeGreaterThan(0);

    expect(readdirSync(target).sort()).toEqual(['latebra.db', 'secret.key']);
    expect(readdirSync(join(folder, 'copies'))).toEqual(['first']);

    // Restoring is what the handbook says: the copy becomes the data folder of a server.
    const restored = join(folder, 'restored');
    await cp(target, restored, { recursive: true });
    const other = await open({ DATA_DIR: restored });
    try {
      await other.enter(person);
      // The journal of the switch stayed behind, so the copy knows that it is one.
      await other.tick();
      expect((await other.switchState()).paused).toMatchObject({ reason: 'journal-missing' });
      expect((await instance.switchState()).paused).toBeNull();
      expectAll(await other.list(), before);
      expect(await other.saltOf('nobody here')).toEqual(await instance.saltOf('nobody here'));
      expect(await other.keep('written after')).toBeGreaterThan(0);
    } finally {
      await other.stop();
    }
  });

  test.skipIf(process.platform === 'win32')('is copied for its owner alone', async () => {
    const target = join(folder, 'copies', 'modes');
    const note = join(dataDir, 'heir.txt');
    writeFileSync(note, 'Ask Ada.', { mode: 0o600 });
    await runBackup(dataDir, target);
    rmSync(note);
    const mode = (...path) => (statSync(join(target, ...path)).mode & 0o777).toString(8);
    expect([mode(), ...['latebra.db', 'secret.key', 'heir.txt'].map((file) => mode(file))]).toEqual([
      '700',
      '600',
      '600',
      '600',
    ]);
    expect(readFileSync(join(target, 'heir.txt'), 'utf8')).toBe('Ask Ada.');
  });

  test('is never copied over something', async () => {
    const target = join(folder, 'copies', 'taken');
    mkdirSync(target);
    writeFileSync(join(target, 'mine'), 'mine');
    const { code, said } = await runBackup(dataDir, target);
    expect(code).toBe(1);
    expect(said).toContain('is there already');
    expect(readdirSync(target)).toEqual(['mine']);
  });

  test('that is not there is a sentence, not a new database', async () => {
    const nowhere = join(folder, 'nowhere');
    const { code, said } = await runBackup(nowhere, join(folder, 'copies', 'nothing'));
    expect(code).toBe(1);
    expect(said).toContain('There is no embedded database');
    expect(existsSync(nowhere)).toBe(false);
  });

  test('is kept so many times in a folder, in which nothing else is touched', async () => {
    const many = join(folder, 'many');
    mkdirSync(join(many, 'mine'), { recursive: true });
    const named = (second) => `2020-06-01T03-30-0${second}Z`;
    for (const second of [1, 2, 3, 4]) {
      const made = await backUpDated(dataDir, many, 2, Date.parse(`2020-06-01T03:30:0${second}.000Z`));
      expect(made.deleted).toEqual(second > 2 ? [named(second - 2)] : []);
    }
    expect(readdirSync(many).sort()).toEqual([named(3), named(4), 'mine']);
    const { code, said } = await runBackup(dataDir, many, '--keep', '1');
    expect(code).toBe(0);
    expect(said).toContain(`Deleted ${named(4)}, ${named(3)}`);
    expect(readdirSync(many)).toHaveLength(2);
    // A clock that was ahead when others were made does not cost the newest.
    const ahead = await backUpDated(dataDir, many, 9, Date.parse('2999-01-01T00:00:00.000Z'));
    const back = await backUpDated(dataDir, many, 1, Date.parse('2020-06-02T00:00:00.000Z'));
    expect(back.deleted).toContain(basename(ahead.target));
    expect(readdirSync(many).sort()).toEqual(['2020-06-02T00-00-00Z', 'mine']);
    for (const keep of ['0', 'some', '-1']) {
      expect((await runBackup(dataDir, many, '--keep', keep)).said).toContain('npm run backup --');
    }
    expect(readdirSync(many)).toHaveLength(2);
  });

  test('is deleted for its age only where it is one', async () => {
    const mixed = join(folder, 'mixed');
    const photographs = join(mixed, '2019-01-01T00-00-00Z');
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(photographs, { recursive: true });
    writeFileSync(join(photographs, 'mine'), 'mine');
    await backUpDated(dataDir, elsewhere, 1, Date.parse('2020-01-01T00:00:00.000Z'));
    const [copy = ''] = readdirSync(elsewhere);
    symlinkSync(join(elsewhere, copy), join(mixed, '2019-01-02T00-00-00Z'));
    const { deleted } = await backUpDated(dataDir, mixed, 1, Date.parse('2020-06-01T00:00:00.000Z'));
    expect(deleted).toEqual([]);
    expect(readdirSync(mixed)).toHaveLength(3);
    expect(readdirSync(join(elsewhere, copy))).toContain('latebra.db');
  });

  test('is restored and started to see whether it could be, and only read', async () => {
    const checked = join(folder, 'checked');
    await backUpDated(dataDir, checked, 3);
    const [copy = ''] = readdirSync(checked);
    const database = join(checked, copy, 'latebra.db');
    const before = readFileSync(database);
    const { code, said } = await runBackup(dataDir, '--check', checked);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('with 1 account.') });
    expect(readdirSync(join(checked, copy)).sort()).toEqual(['latebra.db', 'secret.key']);
    expect(readFileSync(database).equals(before)).toBe(true);

    rmSync(join(checked, copy, 'secret.key'));
    expect((await runBackup(dataDir, '--check', checked)).said).toContain('It has no secret.key');
    await cp(join(dataDir, 'secret.key'), join(checked, copy, 'secret.key'));
    // A page in the middle is lost.
    const damaged = Buffer.from(before);
    damaged.fill(0xff, 4096 * 3, 4096 * 4);
    writeFileSync(database, damaged);
    const broken = await runBackup(dataDir, '--check', checked);
    expect(broken.code).toBe(1);
    expect(broken.said).toContain('cannot be restored');
    const target = join(folder, 'of-somebody-else');
    writeFileSync(target, 'not to be touched');
    rmSync(database);
    symlinkSync(target, database);
    expect((await runBackup(dataDir, '--check', checked)).said).toContain('neither a file nor a folder');
    expect(readFileSync(target, 'utf8')).toBe('not to be touched');

    // A name that was mistyped leads nowhere, or to a file, or to something below one.
    for (const path of [join(folder, 'nowhere'), target, join(target, 'below')]) {
      const { code, said } = await runBackup(dataDir, '--check', path);
      expect({ code, said: said.trim() }).toEqual({ code: 1, said: `There is no backup in ${path}.` });
    }
  });

  test('wants to be told where to', async () => {
    expect((await runBackup(dataDir)).said).toContain('npm run backup --');
  });
});

describe.skipIf(!inject('postgres'))('PostgreSQL', () => {
  test('comes back from pg_dump and psql, with the rows that were acknowledged before', async () => {
    const program = (name) => join(findPostgres() ?? '', name);
    const [here, there] = [await createPostgres('empty'), await createPostgres('empty')];
    const secret = { SECRET_KEY: '5e'.repeat(32) };
    const person = aPerson();
    const kept = new Map();
    const instance = await open({ DATA_DIR: join(folder, 'pg'), DATABASE_URL: here.url, ...secret });
    let stopWriting = async () => {};
    const dump = join(folder, 'latebra.sql');
    let before;
    try {
      await instance.begin(person);
      await keepSome(instance, kept);
      stopWriting = writeOn(instance, kept);
      before = new Map(kept);
      execFileSync(program('pg_dump'), ['--no-owner', '--no-privileges', `--file=${dump}`, here.direct]);
    } finally {
      await stopWriting();
      await instance.stop();
    }

    const restore = [
      '--quiet',
      '--single-transaction',
      '--set',
      'ON_ERROR_STOP=1',
      `--file=${dump}`,
      there.direct,
    ];
    const { status, stderr } = spawnSync(program('psql'), restore, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const other = await open({ DATA_DIR: join(folder, 'pg-other'), DATABASE_URL: there.url, ...secret });
    try {
      await other.enter(person);
      expectAll(await other.list(), before);
      // A number that was given before the backup is not given again after it.
      expect(await other.keep('written after')).toBeGreaterThan(Math.max(...before.keys()));
    } finally {
      await other.stop();
      await here.drop();
      await there.drop();
    }
  });
});
