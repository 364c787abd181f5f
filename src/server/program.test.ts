// The server as a program: its files, its refusals, its end. Real processes, on data folders of their own.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { DAY } from '../shared/time.ts';
import { createPostgres, describeOnPostgres } from '../testing/engines.ts';
import { anAuthKey } from '../testing/people.ts';
import {
  aDataDir,
  type RefusedStart,
  type ServerProcess,
  startProgram,
  startServer,
} from '../testing/server-program.ts';
import { openEmbedded } from './db/open.ts';

const main = inject('serverProgram');
const running: ServerProcess[] = [];
let folder: ReturnType<typeof aDataDir>;
beforeEach(() => {
  folder = aDataDir();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.end('SIGKILL')));
  folder.remove();
});

async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer(main, { DATA_DIR: folder.dataDir, ...env });
  running.push(server);
  return server;
}

async function refusal(env: Record<string, string> = {}): Promise<RefusedStart> {
  const started = await startProgram(main, { DATA_DIR: folder.dataDir, ...env });
  if (!('url' in started)) return started;
  running.push(started);
  throw new Error('It started.');
}

const inFolder = (name: string) => join(folder.dataDir, name);
const tokenIn = (output: string) => /Set-up token, good once: (\S+)/.exec(output)?.[1];

async function post(server: ServerProcess, path: string, body: unknown, cookie?: string): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    body: JSON.stringify(body),
  });
}

async function signUp(server: ServerProcess, name = 'ann', authKey = anAuthKey()): Promise<string> {
  const response = await post(server, '/api/gate/passphrase/begin', { name, authKey });
  expect(response.status).toBe(201);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

describe('the program', () => {
  it('makes what it needs, closed to everybody else, and says where it listens', async () => {
    const server = await start();
    expect(server.output()).toMatch(/Latebra 0\.0\.0-test listens at http:\/\/localhost:\d+\n/);
    expect(tokenIn(server.output())).toMatch(/^[\w-]{24}$/);
    expect(statSync(folder.dataDir).mode & 0o777).toBe(0o700);
    const files = readdirSync(folder.dataDir).sort();
    expect(files).toEqual(
      expect.arrayContaining(['files', 'latebra.db', 'lock', 'secret.key', 'setup-token']),
    );
    for (const file of files) {
      // The journal is written beside itself and takes its name: what stood in the list may be gone.
      const found = statSync(inFolder(file), { throwIfNoEntry: false });
      if (found) expect(found.mode & 0o777, file).toBe(found.isDirectory() ? 0o700 : 0o600);
    }
    expect(readFileSync(inFolder('secret.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('asks for a passkey without the library that verifies one, and stays up where that cannot be loaded', async () => {
    const home = join(folder.dataDir, '../program');
    const place = join(home, 'dist/server');
    cpSync(dirname(main), place, { recursive: true });
    for (const shared of ['package.json', 'node_modules', 'dist/web']) {
      symlinkSync(join(dirname(main), '../..', shared), join(home, shared));
    }
    const library = readdirSync(place).filter((file) => file.startsWith('passkey-library-'));
    expect(library).toHaveLength(1);
    for (const file of library) rmSync(join(place, file));
    const server = await startServer(join(place, 'main.js'), { DATA_DIR: folder.dataDir });
    running.push(server);
    const cookie = await signUp(server);
    for (const path of ['/api/gate/passkey/enter/options', '/api/gate/passkey/begin/options']) {
      expect((await post(server, path, {})).status, path).toBe(200);
    }
    for (const path of ['/api/passkeys/options', '/api/proof/passkey/options']) {
      expect((await post(server, path, {}, cookie)).status, path).toBe(200);
    }
    // By itself, once it has nothing to do.
    await expect.poll(server.output, { timeout: 30_000 }).toContain('passkeys cannot be verified');
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('keeps its secret, its token, its accounts and its sessions over a restart', async () => {
    const first = await start();
    const cookie = await signUp(first);
    const secret = readFileSync(inFolder('secret.key'), 'utf8');
    expect(await first.end()).toBe(0);
    const second = await start();
    expect(readFileSync(inFolder('secret.key'), 'utf8')).toBe(secret);
    expect(tokenIn(second.output())).toBe(tokenIn(first.output()));
    expect((await fetch(`${second.url}/api/auth/user`, { headers: { cookie } })).status).toBe(200);
  });

  it.each([
    ['open', 'Create an account, and enter it at'],
    ['invitation', 'New accounts need an invitation here, and this is the first one. Open'],
    ['closed', 'Nobody creates an account here but its administrator. Open'],
  ])('says at its first start what becomes of the token where new accounts are: %s', async (mode, says) => {
    const server = await startServer(main, { DATA_DIR: folder.dataDir, SIGN_UP: mode });
    running.push(server);
    expect(server.output()).toContain(says);
    expect(server.output().includes('/enter?invited#invitation=')).toBe(mode !== 'open');
  });

  it('forgets the set-up token when it was entered', async () => {
    const first = await start();
    const cookie = await signUp(first);
    const token = tokenIn(first.output());
    expect((await post(first, '/api/admin/claim', { token }, cookie)).status).toBe(200);
    expect(existsSync(inFolder('setup-token'))).toBe(false);
    await first.end();
    expect((await start()).output()).not.toContain('Set-up token');
  });

  it('leaves a data folder to the process that has it, and takes it when that one has died', async () => {
    const first = await start();
    const { code, output } = await refusal();
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      `Another Latebra is already running on the data folder ${folder.dataDir}. Stop it first, or give this one a DATA_DIR of its own.`,
    );
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    await first.end('SIGKILL');
    expect((await fetch(`${(await start()).url}/readyz`)).status).toBe(200);
  });

  it('starts once when it is started four times at once on a new folder', async () => {
    const starts = await Promise.all(
      [1, 2, 3, 4].map(() => startProgram(main, { DATA_DIR: folder.dataDir })),
    );
    const servers = starts.filter((started) => 'url' in started);
    running.push(...servers);
    expect(servers).toHaveLength(1);
    for (const refused of starts) {
      if (!('url' in refused)) expect(refused.output).toContain('Another Latebra is already running');
    }
  });
});

describe('the program refuses, with a sentence and no stack,', () => {
  const plain = ({ code, output }: RefusedStart) => {
    expect(code).toBe(1);
    expect(output).not.toMatch(/\n\s+at |node_modules|Error:/);
    return output.trim();
  };

  it('a configuration with mistakes, all of them', async () => {
    const output = plain(await refusal({ SESSION_DAYS: 'many', PUBLIC_URL: 'vault' }));
    expect(output).toContain('SESSION_DAYS must be a whole number from 1 to 90.');
    expect(output).toContain('PUBLIC_URL must be the full address of this server');
    expect(existsSync(folder.dataDir)).toBe(false);
  });

  it('a damaged secret', async () => {
    mkdirSync(folder.dataDir, { mode: 0o700 });
    for (const damaged of ['', 'abc', `${'0'.repeat(63)}g`, `${'0'.repeat(64)}0`]) {
      writeFileSync(inFolder('secret.key'), damaged);
      expect(plain(await refusal())).toBe(
        `${inFolder('secret.key')} is damaged: it must hold 64 hex characters. Restore it from your backup.`,
      );
    }
  });

  it('a puzzle with mistakes, before it makes anything', async () => {
    const place = aDataDir();
    mkdirSync(place.dataDir);
    const file = join(place.dataDir, 'puzzle.json');
    writeFileSync(file, '{"shadow": {"phrase": "short"}}');
    const output = plain(await refusal({ PUZZLE_FILE: file }));
    expect(output).toContain(`The puzzle in ${file} (PUZZLE_FILE) has 5 mistakes:`);
    expect(output).toContain('  shadow.phrase must have 12 letters and digits or more.');
    expect(output).not.toContain('short');
    expect(existsSync(folder.dataDir)).toBe(false);
    place.remove();
  });

  it('a damaged database', async () => {
    mkdirSync(folder.dataDir, { mode: 0o700 });
    writeFileSync(inFolder('latebra.db'), 'This is no database, and was never one.'.repeat(200));
    expect(plain(await refusal())).toContain(
      'The database cannot be opened or brought up to date: file is not a database',
    );
  });

  it('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    expect(plain(await refusal({ PORT: String(port) }))).toBe(
      `Port ${port} is already in use. Set PORT to another one.`,
    );
    other.close();
  });

  it('an address that is not this machine’s', async () => {
    expect(plain(await refusal({ HOST: '203.0.113.1' }))).toContain(
      'The server cannot listen on 203.0.113.1:0',
    );
  });

  it('a folder that is open to others and holds other things, and leaves it as it is', async () => {
    mkdirSync(folder.dataDir);
    chmodSync(folder.dataDir, 0o755);
    writeFileSync(inFolder('diary.txt'), 'mine');
    expect(plain(await refusal())).toContain('is open to others and holds other things');
    expect(statSync(folder.dataDir).mode & 0o777).toBe(0o755);
    expect(readdirSync(folder.dataDir)).toEqual(['diary.txt']);
  });

  it('no database behind DATABASE_URL, without repeating its password', async () => {
    const output = plain(await refusal({ DATABASE_URL: 'postgres://latebra:hunter2@127.0.0.1:1/latebra' }));
    expect(output).toContain('The database cannot be opened or brought up to date');
    expect(output).not.toContain('hunter2');
  });
});

describe('the program closes its folder', () => {
  it('that was made for it and left open, and one that was its own', async () => {
    mkdirSync(folder.dataDir);
    chmodSync(folder.dataDir, 0o777);
    await (await start()).end();
    expect(statSync(folder.dataDir).mode & 0o777).toBe(0o700);
    chmodSync(folder.dataDir, 0o755);
    await (await start()).end();
    expect(statSync(folder.dataDir).mode & 0o777).toBe(0o700);
  });
});

describe('the program ends', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s with code 0, at once, also while browsers hold connections',
    async (signal) => {
      const server = await start();
      const agent = new Agent({ keepAlive: true });
      await new Promise<void>((resolve, reject) => {
        httpRequest(`${server.url}/healthz`, { agent }, (response) => {
          response.resume().once('end', resolve);
        })
          .once('error', reject)
          .end();
      });
      const began = performance.now();
      expect(await server.end(signal)).toBe(0);
      expect(performance.now() - began).toBeLessThan(3000);
      agent.destroy();
      expect(existsSync(inFolder('latebra.db-wal'))).toBe(false);
    },
  );

  it('after it has answered whom it was answering, and listens to nobody new', async () => {
    const server = await start();
    const cookie = await signUp(server);
    const body = JSON.stringify({ title: 'dA==', encryptedContent: 'd29yZHM=' });
    const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
      const pending = httpRequest(`${server.url}/api/memory-entries`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': body.length, cookie },
      });
      pending.once('error', reject).once('response', (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      // Half of the body is there when the signal comes, and the other half when nobody new is let in any more.
      pending.write(body.slice(0, 10), async () => {
        const ended = server.end('SIGTERM');
        while (
          await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } }).then(
            () => true,
            () => false,
          )
        );
        pending.end(body.slice(10));
        expect(await ended).toBe(0);
      });
    });
    const { status, text } = await answer;
    expect(status).toBe(201);
    const { id } = JSON.parse(text);
    const next = await start();
    expect((await fetch(`${next.url}/api/memory-entries/${id}`, { headers: { cookie } })).status).toBe(200);
  });
});

describeOnPostgres('programs that share a database and a data folder', () => {
  it('make one secret between them, however many make it at once', async () => {
    const { url, drop } = await createPostgres('empty');
    const starts = [1, 2, 3, 4].map(() => start({ DATABASE_URL: url }));
    const servers = await Promise.all(starts);
    const salts = await Promise.all(
      servers.map(async (server) =>
        (await post(server, '/api/gate/passphrase/salt', { name: 'ann' })).text(),
      ),
    );
    expect(new Set(salts).size).toBe(1);
    expect(new Set(servers.map((server) => tokenIn(server.output()))).size).toBe(1);
    const made = readdirSync(folder.dataDir).filter((name) => !name.startsWith('switch.journal'));
    expect(made.sort()).toEqual(['files', 'secret.key', 'setup-token']);
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await drop();
  });
});

describe('the walkthrough', () => {
  const print = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [join(dirname(main), 'walkthrough.js'), ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
    });

  it('is of the puzzle in force, which a server starts with as it is printed', async () => {
    expect(print([]).stdout).toContain('which is the one that is shipped');
    const place = aDataDir();
    mkdirSync(place.dataDir);
    const file = join(place.dataDir, 'puzzle.json');
    writeFileSync(file, print(['--json']).stdout.replace(/"phrase": ".*"/, '"phrase": "a phrase of mine"'));
    expect(print([], { PUZZLE_FILE: file }).stdout).toMatch(/^ {4}a phrase of mine$/m);
    const server = await start({ PUZZLE_FILE: file });
    expect((await post(server, '/api/phase2/verify', { phrase: 'A phrase of mine!' })).status).toBe(200);
    place.remove();
  });

  it('says what is wrong with a puzzle', () => {
    const { status, stderr } = print([], { PUZZLE_FILE: '/nowhere.json' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\nThe puzzle in \/nowhere\.json \(PUZZLE_FILE\) cannot be read: .*\n\n$/);
  });
});

describe('confirming a paused switch', () => {
  const confirmWith = (env: Record<string, string>, ...args: string[]) => {
    // As docs/operations.md prints it.
    const settings = join(folder.dataDir, '../latebra.env');
    writeFileSync(settings, `DATA_DIR=${folder.dataDir}\n`);
    const command = [`--env-file=${settings}`, join(dirname(main), 'confirm-switch.js'), ...args];
    return spawnSync(process.execPath, command, {
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
    });
  };
  const confirm = (...args: string[]) => confirmWith({}, ...args);
  /** A server without its journal, as one that was made of a backup, finds itself paused. */
  async function startPaused() {
    await (await start()).end();
    rmSync(join(folder.dataDir, 'switch.journal'));
    return start();
  }

  it('works while the server runs, and asks first', async () => {
    const server = await startPaused();
    const unasked = confirm();
    expect(unasked).toMatchObject({ status: 1, stderr: expect.stringContaining('Add --yes') });
    expect(unasked.stdout).toContain('The journal that lies outside the database is gone.');
    const confirmed = confirm('--yes');
    expect(confirmed).toMatchObject({ status: 0, stdout: expect.stringContaining('works again') });
    expect(confirm('--yes').stdout).toContain('not paused');
    await server.end('SIGKILL');
    await start();
    expect(confirm('--yes').stdout).toContain('not paused');
  });

  it('tells everybody what its administrator writes, and nothing that is too long', async () => {
    await (await startPaused()).end();
    expect(confirm('--yes', '--notice', 'x'.repeat(601)).stderr).toContain('at most 600 letters');
    expect(confirm('--yes', '--notice').stderr).toContain('After --notice stands');
    expect(confirm('--yes', '--notice', ' The backup is of 3 May. ').stdout).toContain('works again');
    const { db } = await openEmbedded(join(folder.dataDir, 'latebra.db'));
    try {
      expect(await db.selectFrom('member_notice').select('says').execute()).toEqual([
        { says: 'The backup is of 3 May.' },
      ]);
    } finally {
      await db.destroy();
    }
  });

  it('does not make a copy speak', async () => {
    await (await startPaused()).end();
    const { db } = await openEmbedded(join(folder.dataDir, 'latebra.db'));
    await db.updateTable('instance_clock').set({ elsewhere: 'ahead', out_of_reach_since: 1 }).execute();
    await db.destroy();
    expect(confirm('--yes').stdout).toMatch(/stays silent .*lived on there/);
  });

  it('works while the server does not', async () => {
    await (await startPaused()).end();
    expect(confirm('--yes').stdout).toContain('works again');
    await start();
    expect(confirm('--yes').stdout).toContain('not paused');
  });

  it('confirms nothing under another key than the server that has paused it', async () => {
    await (await startPaused()).end();
    const refused = confirmWith({ SECRET_KEY: '07'.repeat(32) }, '--yes');
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('another secret key') });
    expect(confirm('--yes').stdout).toContain('works again');
  });

  it('asks whether a doubted date is right, and tells the server', async () => {
    await (await start()).end();
    const { db } = await openEmbedded(join(folder.dataDir, 'latebra.db'));
    try {
      await db
        .updateTable('instance_clock')
        .set({ set_forward_by: 40 * DAY })
        .execute();
      const vouched = async () =>
        (await db.selectFrom('instance_clock').select('vouched').executeTakeFirstOrThrow()).vouched;
      const unasked = confirm();
      expect(unasked).toMatchObject({ status: 1, stderr: expect.stringContaining('Add --yes') });
      expect(unasked.stdout).toContain('was set forward by more than a day');
      expect(unasked.stdout).toMatch(new RegExp(`It says that it is .*${new Date().getUTCFullYear()}.* UTC`));
      expect(await vouched()).toBe(0);
      expect(confirm('--yes')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('The date is confirmed.'),
      });
      expect(await vouched()).toBe(1);
      expect(confirm('--yes').stdout).toContain('nothing to confirm');
    } finally {
      await db.destroy();
    }
  });

  it('makes nothing where no server has been', () => {
    expect(confirm('--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Start the server once'),
    });
    expect(existsSync(folder.dataDir)).toBe(false);
  });
});
