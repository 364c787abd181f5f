// Every line of docs/operations.md that takes SQLite's own tool, run as it is printed by the tool that this system has,
// which is older than the SQLite inside of the server: it opens, repairs and erases in the folder of a running one.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startListening } from '../src/testing/listening-server.ts';
import { aName, anAuthKey } from '../src/testing/people.ts';
import { writeWebRoot } from '../src/testing/web-files.ts';
import { findSqlite3 } from './find-programs.mjs';

// Every row waits for the disk, and a busy machine makes it wait longer.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const page = readFileSync(fileURLToPath(new URL('../docs/operations.md', import.meta.url)), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'latebra-sqlite3-'));
const backups = mkdtempSync(join(tmpdir(), 'latebra-sqlite3-'));
const web = writeWebRoot();
let instance;

/** What the page prints that begins with the tool's name, as somebody would copy it. */
const lines = [
  ...[...page.matchAll(/^(?:sudo -u latebra )?(sqlite3 .+?)(?: {2,}#.*)?$/gm)].map(([, line]) => line),
  ...[...page.matchAll(/`(sqlite3 [^`]+)`/g)].map(([, line]) => line),
];
/** Statements that the page gives without the tool. */
const statements = [...page.matchAll(/`((?:update|delete from) [^`]+)`/g)].map(([, line]) => line);

/** Runs a line in the folder of this server, which goes on meanwhile. */
function run(line) {
  const here = line.replaceAll('/var/lib/latebra', folder).replaceAll('/var/backups/latebra/today', backups);
  return new Promise((resolve) => {
    execFile('sh', ['-c', here], { cwd: folder }, (error, said, problem) =>
      resolve({ status: error?.code ?? 0, said: said.trim(), problem: problem.trim() }),
    );
  });
}
const lineWith = (words) => lines.find((line) => line.includes(words)) ?? `no line with ${words}`;
const statementWith = (words) =>
  statements.find((line) => line.includes(words)) ?? `no statement with ${words}`;
/** Runs a statement in the tool as the page opens it. */
const query = (statement) => run(`${lines.find((line) => line.endsWith('.db'))} "${statement}"`);

/** A person whose cookie is sent with every call. */
async function aPerson() {
  let cookie = '';
  const call = async (method, path, body) => {
    const response = await fetch(`http://localhost:${instance.port}${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response;
  };
  const user = await (
    await call('POST', '/api/gate/passphrase/begin', { name: aName(), authKey: anAuthKey() })
  ).json();
  return { call, number: user.id };
}
const memory = { title: 'dA==', encryptedContent: 'd29yZHM=' };

beforeAll(async () => {
  instance = await startListening({ DATA_DIR: folder }, web.root);
});
afterAll(async () => {
  await instance.stop();
  web.remove();
  for (const made of [folder, backups]) rmSync(made, { recursive: true });
});

describe.skipIf(!findSqlite3())('SQLite’s own tool', () => {
  test('finds nothing wrong with the database of a running server', async () => {
    expect(await query('pragma integrity_check')).toEqual({ status: 0, said: 'ok', problem: '' });
  });

  test('ends all sessions', async () => {
    const { call } = await aPerson();
    expect((await call('GET', '/api/auth/user')).status).toBe(200);
    expect(await run(lineWith('DELETE FROM sessions'))).toMatchObject({ status: 0, problem: '' });
    expect((await call('GET', '/api/auth/user')).status).toBe(401);
  });

  test('gives an account its own limits, which are counted by the same triggers', async () => {
    const { call, number } = await aPerson();
    await call('POST', '/api/memory-entries', memory);
    const raise = statementWith('update usage').replace('…', number);
    expect(await query(raise)).toMatchObject({ status: 0, problem: '' });
    expect(await (await call('GET', '/api/usage')).json()).toMatchObject({
      bytesMax: 5_368_709_120,
      rowsMax: 500_000,
    });
    expect(await query(raise.replace('5368709120', '13'))).toMatchObject({ status: 0 });
    expect((await call('POST', '/api/memory-entries', memory)).status).toBe(413);
    // Written by the tool, a row meets the same limit, and the same words refuse it.
    const byHand = `insert into memory_entries (account_id, title, encrypted_content, version, created_at, updated_at)
      select id, 'é', 'x', 1, 0, 0 from accounts where uid = '${number}'`;
    expect(await query(byHand)).toMatchObject({ problem: expect.stringContaining('quota-bytes') });
  });

  test('takes the whisper away', async () => {
    expect(await query(statementWith('delete from whisper_audio'))).toMatchObject({ status: 0, problem: '' });
  });

  test('copies the database, and rewrites its file', async () => {
    expect(await run(lineWith('.backup'))).toMatchObject({ status: 0, problem: '' });
    expect(existsSync(join(backups, 'latebra.db'))).toBe(true);
    expect(await run(lineWith('vacuum'))).toMatchObject({ status: 0, problem: '' });
  });

  test('is tried with every line and every statement that the page has', () => {
    expect(lines).toHaveLength(4);
    expect(statements.map((statement) => statement.split(' ').slice(0, 3).join(' '))).toEqual([
      'update usage set',
      'delete from whisper_audio',
    ]);
  });
});
