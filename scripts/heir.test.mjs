// `npm run heir` for real: the program that is built, on a server with people and letters in it, while that runs and while
// it does not, on both databases; and where it can say little, or nothing.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createPostgres } from '../src/testing/engines.ts';
import { startListening } from '../src/testing/listening-server.ts';
import { aName, anAuthKey } from '../src/testing/people.ts';
import { writeWebRoot } from '../src/testing/web-files.ts';

// Every row waits for the disk, and a busy machine makes it wait longer.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const program = join(dirname(inject('serverProgram')), 'heir.js');
const folder = mkdtempSync(join(tmpdir(), 'latebra-heir-'));
const web = writeWebRoot();
afterAll(() => {
  web.remove();
  rmSync(folder, { recursive: true });
});

/** Runs it as an administrator would, in a process of its own and in an empty folder. */
function run(env, ...args) {
  return runBy([], env, ...args);
}

/** @param {string[]} command what runs it, as with fewer rights */
function runBy(command, { DATA_DIR = '', ...env }, ...args) {
  // As a service has it: where its data lies stands in a file.
  const settings = join(folder, 'latebra.env');
  writeFileSync(settings, DATA_DIR && `DATA_DIR=${DATA_DIR}\n`);
  const [first, ...rest] = [...command, process.execPath, `--env-file=${settings}`, program, ...args];
  const child = spawn(first, rest, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', problem: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.problem += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}

/** What is on a page, whatever its line breaks. */
const flat = (text) => text.replace(/\s+/g, ' ');

async function page(env) {
  const { code, out, problem } = await run(env);
  expect(problem).toBe('');
  expect(code).toBe(0);
  return flat(out);
}

/** Refused with a sentence, and neither a page nor a stack. */
async function refusal(env, ...args) {
  return refusalOf(await run(env, ...args));
}

function refusalOf({ code, out, problem }) {
  expect([code, out]).toEqual([1, '']);
  expect(problem).not.toMatch(/\n\s+at |node_modules|Error:/);
  return problem.trim();
}

/** Two people, one of whom has three letters, of which two watch. */
async function fill({ port }) {
  const people = [];
  for (const _ of ['one', 'two']) {
    let cookie = '';
    const call = async (method, path, body) => {
      const response = await fetch(`http://localhost:${port}${path}`, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      });
      cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      if (!response.ok) throw new Error(`${path}: ${response.status}: ${await response.text()}`);
      return response.json();
    };
    await call('POST', '/api/gate/passphrase/begin', { name: aName(), authKey: anAuthKey() });
    people.push(call);
  }
  const [author] = people;
  const letters = [];
  for (const triggerValue of ['30', '60', '90']) {
    letters.push(
      await author('POST', '/api/legacy-scrolls', {
        title: 'dA==',
        encryptedContent: 'd29yZHM=',
        triggerType: 'inactivity',
        triggerValue,
        recipientType: 'email',
        recipientAddress: 'ada@mail.example',
      }),
    );
  }
  for (const { id } of letters.slice(1)) await author('POST', `/api/legacy-scrolls/${id}/activate`);
}

const FILLED = '2 people have a vault here: their private writing. - 2 letters are waiting to be released.';

describe('on the embedded database', () => {
  const dataDir = join(folder, 'embedded');
  const env = { DATA_DIR: dataDir };
  let instance;
  beforeAll(async () => {
    instance = await startListening(env, web.root);
    await fill(instance);
    await instance.tick();
  });
  afterAll(() => instance.stop());
  afterEach(() => rmSync(join(dataDir, 'heir.txt'), { force: true }));

  test('counts what depends on a server that runs, and changes nothing', async () => {
    const before = readdirSync(dataDir).sort();
    const said = await page(env);
    expect(said).toContain(FILLED);
    expect(said).toContain('The program was running when this page was printed.');
    expect(said).toContain('They were not paused when');
    expect(said).toContain(`Data folder: ${dataDir}`);
    expect(readdirSync(dataDir).sort()).toEqual(before);
  });

  test('prints no line that is too long for its paper, and no sign that a printer may lack', async () => {
    const { out } = await run({
      ...env,
      PUBLIC_URL: 'https://vault.example.org',
      SMTP_URL: 'smtps://ann:p@mail.example.org',
      MAIL_FROM: 'vault@example.org',
    });
    expect(out.split('\n').filter((line) => line.length > 76)).toEqual([]);
    expect(out).not.toMatch(/[^\n\x20-\x7e]/);
  });

  test('ends with what the administrator has written, without what a terminal would obey', async () => {
    const mine = 'Ask Ada first.\n\n  - The key is under the stone.\u001b[2J\n  - Ünïcode <b>too</b>.\n';
    writeFileSync(join(dataDir, 'heir.txt'), mine);
    const { out } = await run(env);
    expect(out).toMatch(
      /What the administrator has written\n-+\n\nAsk Ada first\.\n\n {2}- The key is under the stone\.\[2J\n {2}- Ünïcode <b>too<\/b>\.\n$/,
    );
    const file = join(folder, 'noted.html');
    await run(env, '--html', file);
    expect(readFileSync(file, 'utf8')).toContain('&lt;b&gt;too&lt;/b&gt;');
  });

  test('says that a file of the administrator’s cannot be printed', async () => {
    writeFileSync(join(dataDir, 'heir.txt'), 'x'.repeat(200_000));
    expect(await page(env)).toContain('heir.txt is too large to be printed here.');
    rmSync(join(dataDir, 'heir.txt'));
    mkdirSync(join(dataDir, 'heir.txt'));
    expect(await page(env)).toContain('could not be read (EISDIR)');
    rmSync(join(dataDir, 'heir.txt'), { recursive: true });
  });

  test('writes a page for a browser for its owner alone, and over nothing', async () => {
    const file = join(folder, 'heir.html');
    expect(await run(env, '--html', file)).toEqual({
      code: 0,
      out: `The page is in ${file}. Open it in a browser, and print it.\n`,
      problem: '',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const html = readFileSync(file, 'utf8');
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script|<link|<img|src=|url\(|href=/);
    expect(html).toContain('2 letters are waiting to be released.');
    writeFileSync(file, 'mine');
    expect(await refusal(env, '--html', file)).toBe(`${file} is there already. Name a file that is not.`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await refusal(env, '--html', join(folder, 'nowhere', 'heir.html'))).toContain(
      'cannot be written (ENOENT)',
    );
  });

  test('counts what depends on a server that does not run, and says when it has run last', async () => {
    await instance.stop();
    try {
      const said = await page(env);
      expect(said).toContain(FILLED);
      const file = join(folder, 'stopped.html');
      expect((await run(env, '--html', file)).code).toBe(0);
    } finally {
      instance = await startListening(env, web.root);
    }
  });

  test('says that the letters are paused, and what to look at', async () => {
    await instance.stop();
    rmSync(join(dataDir, 'switch.journal'));
    instance = await startListening(env, web.root);
    await instance.tick();
    const said = await page(env);
    expect(said).toContain(
      'They were paused when this page was printed. The journal that lies outside the database is gone.',
    );
    expect(said).not.toContain('They were not paused when');
  });
});

describe.skipIf(!inject('postgres'))('on PostgreSQL', () => {
  test('counts what depends on a server, and says where its database is, but no password', async () => {
    const database = await createPostgres('empty');
    const env = { DATA_DIR: join(folder, 'postgres'), DATABASE_URL: database.url };
    const instance = await startListening(env, web.root);
    try {
      await fill(instance);
      await instance.tick();
      expect(await page(env)).toContain(FILLED);
    } finally {
      await instance.stop();
    }
    expect(await page(env)).toContain(FILLED);
    await database.drop();
  });

  test('prints the page without numbers where the database does not answer', async () => {
    const env = {
      DATA_DIR: join(folder, 'away'),
      DATABASE_URL: 'postgres://latebra:hunter2@127.0.0.1:1/latebra',
    };
    mkdirSync(env.DATA_DIR);
    const said = await page(env);
    expect(said).toContain('How many people depend on it is not known');
    expect(said).toContain('(ECONNREFUSED)');
    expect(said).toContain('PostgreSQL, a program of its own: "latebra" on 127.0.0.1');
    expect(said).not.toContain('hunter2');
  });
});

describe('where little is known', () => {
  test('prints the page without numbers where the database is damaged, another one, or not there', async () => {
    const dataDir = join(folder, 'damaged');
    mkdirSync(dataDir);
    expect(await page({ DATA_DIR: dataDir })).toContain(`there is no database in ${dataDir}`);
    writeFileSync(join(dataDir, 'latebra.db'), 'This is no database, and was never one.'.repeat(200));
    expect(await page({ DATA_DIR: dataDir })).toContain(
      'could not be read when this page was printed (SQLITE_NOTADB)',
    );
    writeFileSync(join(dataDir, 'latebra.db'), '');
    expect(await page({ DATA_DIR: dataDir })).toContain(
      'could not be read when this page was printed (SQLITE_ERROR)',
    );
  });

  test('refuses a data folder that is not there, and makes none', async () => {
    const nowhere = join(folder, 'nowhere');
    expect(await refusal({ DATA_DIR: nowhere })).toBe(
      `There is no data folder at ${nowhere}, so no server has run here with these settings. Give this the settings of the server: its DATA_DIR above all.`,
    );
    expect(existsSync(nowhere)).toBe(false);
  });

  test('refuses a data folder of somebody else’s', async () => {
    const dataDir = join(folder, 'closed');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0);
    // Root may read everything unless it gives that up.
    const humbled = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'];
    const ran = runBy(process.getuid?.() === 0 ? humbled : [], { DATA_DIR: dataDir });
    expect(refusalOf(await ran)).toContain('cannot be read (EACCES). Run this as the user');
    chmodSync(dataDir, 0o700);
  });

  test('refuses a configuration with mistakes, all of them', async () => {
    const said = await refusal({ SESSION_DAYS: 'many', PUBLIC_URL: 'vault' });
    expect(said).toContain('SESSION_DAYS must be a whole number from 1 to 90.');
    expect(said).toContain('PUBLIC_URL must be the full address of this server');
  });

  test('refuses options that it does not have, and helps without any settings', async () => {
    for (const args of [['--web'], ['page.html'], ['--html'], ['--help=yes']]) {
      expect(await refusal({}, ...args)).toBe('There are two options: --html <file> and --help.');
    }
    const { code, out } = await run({ PORT: 'none' }, '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^npm run --silent heir -- \[options\]\n/);
  });
});
