// A few numbers that the switch keeps outside the database. A database that falls behind them was restored; a journal
// that stands in another file than it was written to was copied, and its database with it (docs/legacy.md,
// "Restored and copied databases").
import { randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const entrySchema = z.object({
  v: z.literal(1),
  /** Which instance secret it belongs to. */
  instance: z.string(),
  /** How often the administrator has confirmed a database, and how often an empty one took the place of another. */
  epoch: z.int(),
  /** The highest counted time that was reached, in milliseconds. */
  countedTime: z.int(),
  releases: z.int(),
  /** How often a tick has waited for the server's own address to answer. */
  waits: z.int(),
  /** The file's own number on its disk. A copy has another one, unless a fresh disk gives the same by chance. */
  inode: z.string(),
  /** When the file was made, in nanoseconds: no copy has it. Null where the file system keeps none. */
  birth: z.nullable(z.string()),
});

export type JournalEntry = Pick<
  z.output<typeof entrySchema>,
  'instance' | 'epoch' | 'countedTime' | 'releases' | 'waits'
>;

export interface Journal {
  /** What was written last; `copied` when that was to another file. Null when there is none, or it is damaged. */
  read(): { entry: JournalEntry; copied: boolean } | null;
  /** Replaces it, whole or not at all. @throws what the disk throws */
  write(entry: JournalEntry): void;
}

const NAME = 'switch.journal';
const DRAFT = /^switch\.journal\.[0-9a-f]{16}$/;

type Stamps = Pick<BigIntStats, 'ino' | 'birthtimeNs'>;

/** @param stampsOf what a file system says of a file, by its path or its number; tests have others */
export function fileJournal(
  dataDir: string,
  stampsOf: (file: string | number) => Stamps = (file) =>
    typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true }),
): Journal {
  const path = join(dataDir, NAME);
  /** Whether a file keeps its birth when it is renamed. */
  let keepsBirth = true;
  let tidy = false;

  function isCopied({ inode, birth }: z.output<typeof entrySchema>, stamps: Stamps): boolean {
    return inode !== String(stamps.ino) || (birth !== null && birth !== String(stamps.birthtimeNs));
  }

  /** Drafts of processes that were killed while they wrote. */
  function removeOldDrafts(): void {
    if (tidy) return;
    tidy = true;
    for (const name of readdirSync(dataDir)) if (DRAFT.test(name)) rmSync(join(dataDir, name));
  }

  /** What root has written for a server of another user, that server could not read: it would ask again. */
  function giveToOwner(file: number): void {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = statSync(dataDir);
    if (uid === 0) return;
    try {
      fchownSync(file, uid, gid);
    } catch {
      // A root that may not give files away reads what it has written.
    }
  }

  /** Returns the birth that was written down. */
  function replace({ instance, epoch, countedTime, releases, waits }: JournalEntry): bigint | null {
    // Not the process's number: in two containers that is the same.
    const draft = `${path}.${randomBytes(8).toString('hex')}`;
    const file = openSync(draft, 'wx', 0o600);
    try {
      let birth: bigint | null = null;
      try {
        // Renaming leaves a file its number.
        const stamps = stampsOf(file);
        birth = keepsBirth && stamps.birthtimeNs > 0n ? stamps.birthtimeNs : null;
        const own = { inode: String(stamps.ino), birth: birth === null ? null : String(birth) };
        writeSync(
          file,
          `${JSON.stringify({ v: 1, instance, epoch, countedTime, releases, waits, ...own })}\n`,
        );
        giveToOwner(file);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, path);
      return birth;
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }

  /** Another process that begins at the same moment may take the draft for an old one: each does so once. */
  function replaceInSpiteOfOthers(entry: JournalEntry): bigint | null {
    try {
      return replace(entry);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return replace(entry);
    }
  }

  return {
    read() {
      try {
        // By its number: another process may put another file in its place meanwhile.
        const file = openSync(path, 'r');
        try {
          const entry = z.parse(entrySchema, JSON.parse(readFileSync(file, 'utf8')));
          return { entry, copied: isCopied(entry, stampsOf(file)) };
        } finally {
          closeSync(file);
        }
      } catch {
        return null;
      }
    },
    write(entry) {
      removeOldDrafts();
      const birth = replaceInSpiteOfOthers(entry);
      if (birth === null || stampsOf(path).birthtimeNs === birth) return;
      keepsBirth = false;
      replace(entry);
    },
  };
}
