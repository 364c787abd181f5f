// Tries whether a backup can be restored: a copy of it is checked, and a server is started on that copy, which sends
// nothing and is told of no address. The backup itself is only read.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';

const server = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
/** A large database takes a while to be brought up to date. */
const STARTS_WITHIN = 10 * 60_000;

/**
 * @param {string} folder a backup
 * @returns {Promise<{ accounts: number } | { problem: string }>} how many accounts are in it, or why it cannot be restored
 */
export async function checkBackup(folder) {
  if (!existsSync(join(folder, 'secret.key')) && !process.env.SECRET_KEY) {
    return { problem: 'It has no secret.key, and SECRET_KEY is not set.' };
  }
  if (!existsSync(server)) return { problem: 'There is no server to try it with: run npm run build first.' };
  const trial = mkdtempSync(join(tmpdir(), 'latebra-restored-'));
  try {
    cpSync(folder, trial, { recursive: true });
    const found = readCopy(join(trial, 'latebra.db'));
    return 'problem' in found ? found : ((await startOn(trial)) ?? found);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

function readCopy(file) {
  const database = new DatabaseSync(file);
  try {
    const { integrity_check: verdict } = database.prepare('pragma integrity_check').get();
    if (verdict !== 'ok') return { problem: `Its database is damaged: ${verdict}` };
    if (database.prepare('pragma foreign_key_check').get() !== undefined) {
      return { problem: 'Its database has rows that refer to nothing.' };
    }
    const { count } = database.prepare('select count(*) as count from accounts').get();
    return { accounts: Number(count) };
  } finally {
    database.close();
  }
}

/** @returns {Promise<{ problem: string } | null>} null where a server starts on it and is ready */
async function startOn(dataDir) {
  const { PATH, SECRET_KEY } = process.env;
  // No address, no mail server, no chain: nothing of the copy leaves this machine.
  const env = { PATH, DATA_DIR: dataDir, PORT: '0', ...(SECRET_KEY && { SECRET_KEY }) };
  const child = spawn(process.execPath, [server], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  const listening = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
        const address = /listens at (http:\/\/localhost:\d+)/.exec(said)?.[1];
        if (address) resolve(address);
      });
    }
  });
  const late = setTimeout(() => child.kill('SIGKILL'), STARTS_WITHIN);
  try {
    const address = await Promise.race([listening, ended.then(() => null)]);
    if (address === null) return { problem: `No server starts on it: ${said.trim()}` };
    const { status } = await fetch(`${address}/readyz`);
    return status === 200 ? null : { problem: `A server starts on it, and is not ready: ${status}` };
  } finally {
    clearTimeout(late);
    child.kill('SIGTERM');
    await ended;
  }
}
