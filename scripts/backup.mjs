// Copies a server that keeps its embedded database, while it runs: `npm run backup -- <folder>`. The copy is a data
// folder itself, readable by its owner alone. It leaves switch.journal out, so that a server that is made of it asks its
// administrator before it releases anything. The files that people have added to their entries are copied along; their parts
// never change, so that a dated copy shares those that the one before it has, and takes room for new ones alone. Those in a bucket
// are left there. It never overwrites anything and never opens a vault. With `--keep 7` the
// folder has dated copies in it, and the oldest beyond seven are deleted; with `--check` a copy is restored and started.
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { backup, DatabaseSync } from '@photostructure/sqlite';
import { checkBackup } from './check-backup.mjs';

/** How long it waits for a server that holds the file, in milliseconds. */
const BUSY_TIMEOUT = 5000;
/** The most that it takes: with pages of 4 KiB they are eight terabytes. */
const ALL_PAGES = 2 ** 31 - 1;

/** A sentence for whoever wants the backup. */
class BackupProblem extends Error {}

/**
 * @param {string} dataDir the data folder of the server
 * @param {string} target a folder that does not exist yet
 * @param {{ files?: string | null, before?: string | null }} [options] the folder of files, or null where they stand in a bucket, and a copy whose parts are shared
 * @returns {Promise<{ hasSecret: boolean }>} whether the instance secret was there to be copied
 */
export async function backUp(dataDir, target, { files = filesOf(dataDir), before = null } = {}) {
  const database = join(dataDir, 'latebra.db');
  const secret = join(dataDir, 'secret.key');
  // What the administrator has written for those who come after.
  const note = join(dataDir, 'heir.txt');
  if (!existsSync(database)) {
    throw new BackupProblem(
      `There is no embedded database in ${dataDir}. Set DATA_DIR to the folder of the server.`,
    );
  }
  refuseExisting(target);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const making = `${target}.making-${process.pid}`;
  mkdirSync(making, { mode: 0o700 });
  try {
    // Before the database and after it: each part that it knows was there at one of the two times.
    const copyAll = () =>
      files !== null && copyFiles(files, join(making, 'files'), before && join(before, 'files'));
    copyAll();
    await copyDatabase(database, join(making, 'latebra.db'));
    copyAll();
    const hasSecret = existsSync(secret);
    if (hasSecret) copyFileSync(secret, join(making, 'secret.key'));
    if (existsSync(note)) copyFileSync(note, join(making, 'heir.txt'));
    for (const path of [...(hasSecret ? [join(making, 'secret.key')] : []), making]) sync(path);
    refuseExisting(target);
    renameSync(making, target);
    sync(dirname(target));
    return { hasSecret };
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw error;
  }
}

/** Whether a server keeps files in a bucket (docs/configuration.md). */
const inBucket = () => Boolean(process.env.FILES_S3_URL?.trim());

/** The folder in which a server keeps files; null where they stand in a bucket. */
const filesOf = (dataDir) =>
  inBucket() ? null : resolve(process.env.FILES_FOLDER || join(dataDir, 'files'));

/** What a part is called while it is being written. */
const DRAFT = '.draft';

/**
 * Copies the parts of files that are not there yet. What is erased meanwhile is left out.
 * @param {string | null} before the same of an earlier copy: what it has is not copied again, but linked
 */
function copyFiles(from, to, before) {
  for (const file of existsSync(from) ? readdirSync(from) : []) {
    const parts = unlessGone(() => readdirSync(join(from, file))) ?? [];
    const whole = parts.filter((name) => !name.endsWith(DRAFT));
    if (whole.length > 0) mkdirSync(join(to, file), { recursive: true, mode: 0o700 });
    for (const name of whole) {
      const [part, copy] = [join(from, file, name), join(to, file, name)];
      if (existsSync(copy)) continue;
      const same = before && join(before, file, name);
      if (same && existsSync(same) && unlessGone(() => linkSync(same, copy)) === undefined) continue;
      unlessGone(() => {
        copyFileSync(part, copy, constants.COPYFILE_FICLONE);
        sync(copy);
      });
    }
    if (whole.length > 0) sync(join(to, file));
  }
  if (existsSync(to)) sync(to);
}

/** @returns null where what it needs is not there, or cannot be linked to */
function unlessGone(work) {
  try {
    return work();
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EXDEV', 'EPERM', 'EMLINK'].includes(error.code)) throw error;
    return null;
  }
}

function refuseExisting(target) {
  if (existsSync(target)) throw new BackupProblem(`${target} is there already. Name a folder that is not.`);
}

async function copyDatabase(from, to) {
  const source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT });
  try {
    // All pages in one step: a copy in many would begin again whenever the server writes in between.
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    // One file, without a journal beside it. The server turns the journal on again.
    copy.exec('pragma journal_mode = delete');
    // A pause that is on just now is another one where this is restored: nobody was told of that one.
    copy.exec(
      'update instance_clock set epoch = epoch + 1, paused_for = 0, told_at = null where paused_reason is not null',
    );
    const { integrity_check: verdict } = copy.prepare('pragma integrity_check').get();
    if (verdict !== 'ok')
      throw new BackupProblem(`The copy is damaged, and so may be its original: ${verdict}`);
  } finally {
    copy.close();
  }
  sync(to);
}

/** What a dated copy is called: the moment at which it was begun, in UTC. */
const DATED = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;
const datedName = (time) =>
  new Date(time)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');

/** The dated copies in a folder, the newest first. What is called like one, and has no database in it, is somebody else's. */
const datedCopies = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => DATED.test(entry.name) && entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => existsSync(join(folder, name, 'latebra.db')))
    .sort()
    .reverse();

/**
 * Makes a dated copy in a folder, and then deletes the oldest of the others beyond so many. Nothing else in it is touched, and
 * the new copy stays whatever the clock said when others were made.
 * @param {string} dataDir the data folder of the server
 * @param {string} folder in which the copies are
 * @param {number} keep how many of them stay, this one included
 * @param {number} [now] epoch milliseconds
 * @returns {Promise<{ target: string, hasSecret: boolean, deleted: string[] }>}
 */
export async function backUpDated(dataDir, folder, keep, now = Date.now()) {
  const target = join(folder, datedName(now));
  const [newest] = existsSync(folder) ? datedCopies(folder) : [];
  const before = newest === undefined ? null : join(folder, newest);
  const { hasSecret } = await backUp(dataDir, target, { before });
  const others = datedCopies(folder).filter((name) => name !== basename(target));
  const deleted = others.slice(keep - 1);
  for (const name of deleted) rmSync(join(folder, name), { recursive: true });
  return { target, hasSecret, deleted };
}

/** Waits until a file or a folder has reached the disk. */
function sync(path) {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

const FILES_ELSEWHERE =
  'The files of entries stand in the bucket of FILES_S3_URL and are not in it: docs/operations.md says how to copy a bucket.';

const HOW = `Name a folder for the backup:
  npm run backup -- /somewhere/safe/today          one copy, in a folder that is not there yet
  npm run backup -- /somewhere/safe --keep 7       a dated copy in this folder, of which seven are kept
  npm run backup -- --check /somewhere/safe        restores the newest copy elsewhere, and starts a server on it`;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { keep: { type: 'string' }, check: { type: 'string' } },
    });
    const keep = values.keep === undefined ? null : Number(values.keep);
    if (keep !== null && !(Number.isSafeInteger(keep) && keep >= 1)) throw new BackupProblem(HOW);
    if ((values.check !== undefined) === (positionals.length === 1)) throw new BackupProblem(HOW);
    return { keep, check: values.check, folder: positionals[0] };
  } catch (error) {
    throw error instanceof BackupProblem ? error : new BackupProblem(HOW);
  }
}

/** The copy that a folder is, or the newest of those in it. */
function copyAt(folder) {
  if (existsSync(join(folder, 'latebra.db'))) return folder;
  // A name that was mistyped may be that of a file.
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  const [newest] = isFolder ? datedCopies(folder) : [];
  if (newest === undefined) throw new BackupProblem(`There is no backup in ${folder}.`);
  return join(folder, newest);
}

async function main() {
  process.umask(0o077);
  const { keep, check, folder } = readArguments();
  if (check !== undefined) {
    const copy = copyAt(resolve(check));
    const found = await checkBackup(copy, { hasFiles: !inBucket() });
    if ('problem' in found) throw new BackupProblem(`${copy} cannot be restored. ${found.problem}`);
    console.log(
      `${copy} can be restored: a server has started on a copy of it, with ${found.accounts} ${found.accounts === 1 ? 'account' : 'accounts'}.`,
    );
    if (inBucket()) console.log(FILES_ELSEWHERE);
    return;
  }
  if (process.env.DATABASE_URL) {
    throw new BackupProblem(
      'DATABASE_URL is set, so this server keeps its rows in PostgreSQL. docs/operations.md shows how to back that up.',
    );
  }
  const dataDir = resolve(process.env.DATA_DIR || './data');
  const { target, hasSecret, deleted } =
    keep === null
      ? { target: resolve(folder), ...(await backUp(dataDir, resolve(folder))), deleted: [] }
      : await backUpDated(dataDir, resolve(folder), keep);
  console.log(`Backed up to ${target}`);
  if (deleted.length > 0) console.log(`Deleted ${deleted.join(', ')}`);
  console.log(
    'A server that is restored from it releases no legacy scrolls until its administrator confirms at /outbox.',
  );
  if (inBucket()) console.log(FILES_ELSEWHERE);
  if (!hasSecret) console.log('There is no secret.key in the data folder: keep SECRET_KEY with this backup.');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().catch((error) => {
    // What the system says of a path is a sentence as well: where the path leads, nobody is helped by this program's lines.
    const isSaid = error instanceof BackupProblem || typeof error?.syscall === 'string';
    console.error(isSaid ? `\n${error.message}\n` : error);
    process.exitCode = 1;
  });
}
