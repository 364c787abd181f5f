// A few numbers that the switch keeps outside the database. A database that falls behind them was restored; a journal
// that stands in another file than it was written to was copied, and its database with it (docs/legacy.md, "Two
// histories").
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const entrySchema = z.object({
  v: z.literal(1),
  /** Which instance secret it belongs to. */
  instance: z.string(),
  /** How often the keeper has confirmed a database. */
  epoch: z.int(),
  /** The highest house time that was reached, in milliseconds. */
  houseTime: z.int(),
  releases: z.int(),
  /** The file's own number on its disk: no copy has it. */
  inode: z.string(),
});

export type JournalEntry = Pick<
  z.output<typeof entrySchema>,
  'instance' | 'epoch' | 'houseTime' | 'releases'
>;

export interface Journal {
  /** What was written last; `copied` when that was to another file. Null when there is none, or it is damaged. */
  read(): { entry: JournalEntry; copied: boolean } | null;
  /** Replaces it, whole or not at all. @throws what the disk throws */
  write(entry: JournalEntry): void;
}

const NAME = 'switch.journal';

export function fileJournal(dataDir: string): Journal {
  const path = join(dataDir, NAME);
  return {
    read() {
      try {
        const entry = z.parse(entrySchema, JSON.parse(readFileSync(path, 'utf8')));
        return { entry, copied: entry.inode !== String(statSync(path, { bigint: true }).ino) };
      } catch {
        return null;
      }
    },
    write({ instance, epoch, houseTime, releases }) {
      const draft = `${path}.${process.pid}`;
      const file = openSync(draft, 'w', 0o600);
      try {
        // Renaming leaves a file its number.
        const inode = String(fstatSync(file, { bigint: true }).ino);
        writeSync(file, `${JSON.stringify({ v: 1, instance, epoch, houseTime, releases, inode })}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, path);
    },
  };
}
