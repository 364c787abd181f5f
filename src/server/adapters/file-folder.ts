// Files in a folder: one below it for each file, with its parts in it, readable by their owner alone. A part is written under
// another name first, so that what has its name is whole and on the disk. Links are not followed, and what is neither a file
// nor a folder is not opened: a backup that somebody else has made could lead anywhere by them.
import { constants } from 'node:fs';
import * as disk from 'node:fs/promises';
import { type FileHandle, lstat, open, opendir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../db/away.ts';
import {
  checkFileKey,
  checkPart,
  type FileStore,
  isFileKey,
  isPartName,
  PartMissing,
  type StoredPart,
} from './file-store.ts';

/** What a part is called while it is being written. No part is called so: their names have no full stop. */
const DRAFT = '.draft';

/** A pipe is opened at once, and seen to be none. Windows knows neither. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What a part is written by, in an order that a power cut cannot hurt. */
export type Disk = Pick<typeof disk, 'mkdir' | 'open' | 'rename'>;

/**
 * @param folder made when the first part comes
 * @param by tests look at the order in which it is asked
 */
export function createFileFolder(folder: string, by: Disk = disk): FileStore {
  function folderOf(file: string): string {
    checkFileKey(file);
    return join(folder, file);
  }
  function pathOf(part: StoredPart): string {
    checkPart(part);
    return join(folderOf(part.file), part.name);
  }

  return {
    async put(part, pieces, { bytes }) {
      const path = pathOf(part);
      const draft = path + DRAFT;
      const handle = await openDraft(draft, by);
      try {
        await writeAll(handle, pieces, bytes);
        await by.rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        await removeIfEmpty(dirname(path));
        throw error;
      }
      // The part in its folder, and that in the one above it: another part may have made it, and not be so far yet.
      await sync(dirname(path), by);
      await sync(folder, by);
    },

    async *read(part, first, last) {
      const path = pathOf(part);
      if (!(await isFolder(dirname(path)))) throw notKept();
      const handle = await unlessGone(open(path, READ));
      if (!handle) throw notKept();
      try {
        if (!(await handle.stat()).isFile()) throw notKept();
        yield* handle.createReadStream({ start: first, end: last, autoClose: false });
      } finally {
        await handle.close();
      }
    },

    async remove(part) {
      const path = pathOf(part);
      if (!(await isFolder(dirname(path)))) return;
      await rm(path, { force: true });
      await rm(path + DRAFT, { force: true });
      await removeIfEmpty(dirname(path));
    },

    async removeAll(file) {
      await rm(folderOf(file), { recursive: true, force: true });
    },

    async *list() {
      for await (const file of entriesOf(folder)) {
        if (!isFileKey(file) || !(await isFolder(join(folder, file)))) continue;
        for await (const entry of entriesOf(join(folder, file))) {
          const name = entry.endsWith(DRAFT) ? entry.slice(0, -DRAFT.length) : entry;
          const found = await unlessGone(lstat(join(folder, file, entry)));
          if (found?.isFile() && isPartName(name)) yield { file, name, at: found.mtimeMs };
        }
      }
    },
  };
}

const notKept = () => new PartMissing('the folder of files has no such part, or something else in its place');

/** Whether there is a folder of this name itself, and no link to one. */
const isFolder = async (path: string): Promise<boolean> =>
  (await unlessGone(lstat(path)))?.isDirectory() ?? false;

/** How often a draft is begun whose folder goes meanwhile, with another part that was not kept. */
const TRIES = 5;

async function openDraft(path: string, by: Disk, tries = TRIES): Promise<FileHandle> {
  await makeFolder(dirname(path), by);
  if ((await unlessGone(lstat(dirname(path))))?.isSymbolicLink()) throw notKept();
  try {
    return await by.open(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || tries <= 1) throw error;
    return openDraft(path, by, tries - 1);
  }
}

/** Writes all pieces, and waits until the disk has them. Closes the file in any case. */
async function writeAll(handle: FileHandle, pieces: AsyncIterable<Uint8Array>, bytes: number): Promise<void> {
  try {
    let written = 0;
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at)).bytesWritten;
      written += piece.length;
    }
    if (written !== bytes) throw new Error(`a part of ${bytes} bytes came with ${written}`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder, and sees to it that it is there after a power cut. */
export async function makeFolder(path: string, by: Disk = disk): Promise<void> {
  const first = await by.mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await sync(dirname(made), by);
}

async function sync(folder: string, by: Disk): Promise<void> {
  const handle = await by.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The last part of a file has gone, or the first one never came. Another one may be coming. */
async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  });
}

async function* entriesOf(folder: string): AsyncGenerator<string> {
  const entries = await unlessGone(opendir(folder));
  if (entries) for await (const { name } of entries) yield name;
}

/** What was erased meanwhile is null. */
const unlessGone = <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
