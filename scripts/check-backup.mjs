// Tries whether a backup can be restored: a copy of it is checked, and a server is started on that copy, which sends
// nothing and is told of no address. The backup itself is only read.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';

const server = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
/** A large database takes a while to be brought up to date. */
const STARTS_WITHIN = 10 * 60_000;

/**
 * @param {string} folder a backup
 * @param {{ hasFiles?: boolean }} [options] whether the files of entries are to be in it: a bucket keeps them elsewhere
 * @returns {Promise<{ accounts: number } | { problem: string }>} how many accounts are in it, or why it cannot be restored
 */
export async function checkBackup(folder, { hasFiles = true } = {}) {
  if (!existsSync(join(folder, 'secret.key')) && !process.env.SECRET_KEY) {
    return { problem: 'It has no secret.key, and SECRET_KEY is not set.' };
  }
  if (!existsSync(server)) return { problem: 'There is no server to try it with: run npm run build first.' };
  const trial = mkdtempSync(join(tmpdir(), 'latebra-restored-'));
  try {
    const strange = neitherFileNorFolder(folder);
    if (strange !== null) {
      return {
        problem: `${strange} in it is neither a file nor a folder, and no backup has such: a server that is made of it would read or write what that leads to. Restore only backups that you made.`,
      };
    }
    // What people have added to their entries may be large. It is looked at where it is, and the server is not shown it.
    const files = join(folder, 'files');
    cpSync(folder, trial, { recursive: true, filter: (path) => path !== files });
    const found = readCopy(join(trial, 'latebra.db'), hasFiles ? files : null);
    return 'problem' in found ? found : ((await startOn(trial)) ?? found);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

/** The first thing in a folder that is a link or the like, by its path; null for none. */
function neitherFileNorFolder(folder, within = '') {
  for (const entry of readdirSync(join(folder, within), { withFileTypes: true })) {
    const path = join(within, entry.name);
    if (!entry.isFile() && !entry.isDirectory()) return path;
    const below = entry.isDirectory() ? neitherFileNorFolder(folder, path) : null;
    if (below !== null) return below;
  }
  return null;
}

function readCopy(file, files) {
  const database = new DatabaseSync(file);
  try {
    const { integrity_check: verdict } = database.prepare('pragma integrity_check').get();
    if (verdict !== 'ok') return { problem: `Its database is damaged: ${verdict}` };
    if (database.prepare('pragma foreign_key_check').get() !== undefined) {
      return { problem: 'Its database has rows that refer to nothing.' };
    }
    const damaged = files === null ? 0 : damagedParts(database, files);
    if (damaged > 0) {
      return {
        problem: `${damaged} parts of files are not in its folder “files” as they were sent: copy that folder along, before the database and once more after it.`,
      };
    }
    const { count } = database.prepare('select count(*) as count from accounts').get();
    return { accounts: Number(count) };
  } finally {
    database.close();
  }
}

/** The largest part of a file, and how large the parts of this one are (src/shared/nouns/files.ts). */
const PART_BYTES = 8 * (1024 ** 2 + 16);

/** How many parts of files that are whole the folder does not have, byte for byte, as the database says. */
export function damagedParts(database, files) {
  // A backup of a server that is older has no such table.
  const known = database
    .prepare("select 1 from sqlite_master where type = 'table' and name = 'file_parts'")
    .get();
  if (known === undefined) return 0;
  const parts = database.prepare(
    `select store_key, bytes, halvings, part, digest, stored_as from files
     join file_parts on file_parts.file = files.id where is_whole = 1`,
  );
  let damaged = 0;
  for (const { store_key, bytes, halvings, part, digest, stored_as } of parts.iterate()) {
    const size = PART_BYTES / 2 ** Number(halvings);
    const path = join(files, store_key, stored_as);
    const found = statSync(path, { throwIfNoEntry: false });
    const isWhole =
      found?.size === Math.min(size, Number(bytes) - Number(part) * size) &&
      createHash('sha256').update(readFileSync(path)).digest('base64url') === digest;
    if (!isWhole) damaged += 1;
  }
  return damaged;
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
