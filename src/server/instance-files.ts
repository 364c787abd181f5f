// The files an instance keeps outside its database: its secret, its set-up token, its lock. Folder 0700, files 0600.

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, isStorageFull } from './db/away.ts';
import { SqliteConnection } from './db/sqlite-driver.ts';
import { StartProblem } from './errors.ts';

const OURS = ['latebra.db', 'secret.key', 'setup-token', 'lock', 'switch.journal'];

/**
 * Makes the data folder, readable by its owner alone. A folder that is used for something else is left as it is:
 * closing it would take it from its other users.
 */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if ((statSync(dataDir).mode & 0o077) === 0) return;
    const inside = readdirSync(dataDir).filter((name) => name !== 'lost+found');
    if (inside.length === 0 || inside.some((name) => OURS.includes(name))) {
      chmodSync(dataDir, 0o700);
      return;
    }
  } catch (error) {
    if (isStorageFull(error)) throw error;
    throw new StartProblem(`The data folder ${dataDir} cannot be made or used: ${(error as Error).message}`);
  }
  throw new StartProblem(
    `The data folder ${dataDir} is open to others and holds other things. Give Latebra a folder of its own, by DATA_DIR.`,
  );
}

/** Writes a file that nobody has written before, whole or not at all. Returns what stands there in the end. */
function writeOnce(path: string, content: string): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    // Another process was first; what it wrote counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8');
}

/** The instance secret (32 bytes): made at first start, then read. */
export function instanceSecret(dataDir: string): Buffer {
  const path = join(dataDir, 'secret.key');
  const hex = existsSync(path)
    ? readFileSync(path, 'utf8')
    : writeOnce(path, `${randomBytes(32).toString('hex')}\n`);
  const secret = Buffer.from(hex.trim(), 'hex');
  if (!/^[0-9a-f]{64}$/i.test(hex.trim())) {
    throw new StartProblem(
      `${path} is damaged: it must hold 64 hex characters. Restore it from your backup.`,
    );
  }
  return secret;
}

/** The set-up token that waits to be entered: made once, shown at every start until somebody enters it. */
export function setupToken(dataDir: string): string {
  const path = join(dataDir, 'setup-token');
  return (
    existsSync(path)
      ? readFileSync(path, 'utf8')
      : writeOnce(path, `${randomBytes(18).toString('base64url')}\n`)
  ).trim();
}

export function forgetSetupToken(dataDir: string): void {
  rmSync(join(dataDir, 'setup-token'), { force: true });
}

/**
 * Takes the data folder for this process alone. SQLite's own file lock does it, because the operating system
 * gives it back when a process dies, however it dies.
 * @returns a function that gives the folder back
 * @throws StartProblem when another process holds it
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const path = join(dataDir, 'lock');
  const connection = new SqliteConnection(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (codeOf(error)?.startsWith('SQLITE_BUSY') !== true) throw error;
    throw new StartProblem(
      `Another Latebra is already running on the data folder ${dataDir}. Stop it first, or give this one a DATA_DIR of its own.`,
    );
  }
  return () => connection.close();
}
