// Whether the disk of the database, and the store of files, take what is written: each for itself, as they may stand on two
// disks. While one does not, writes to it are answered 507, reading goes on, `/readyz` and the figures tell of it, and the log has
// one line when that begins and one when it ends (docs/operations.md, "A full disk").
import type { Logger } from 'pino';
import { codeOf, isStorageFull } from './db/away.ts';
import { StartProblem } from './errors.ts';

export interface StorageState {
  /** Takes note of an error. @returns whether it says that the disk takes nothing */
  refused(error: unknown): boolean;
  /** Something was stored. */
  stored(): void;
  /** Waits for what can be done without. @returns false where the disk took nothing @throws every other error */
  tryTo(work: Promise<unknown>): Promise<boolean>;
  isFull(): boolean;
  /** It may have room again: what is written next finds out. */
  tryAgain(): void;
  /** It is full, and was not to be tried again since. */
  isShut(): boolean;
}

const sentences = {
  database: {
    full: 'the disk is full or takes no writes: nothing is stored until there is room; see docs/operations.md',
    again: 'the disk takes writes again',
  },
  files: {
    full: 'the store of files is full or takes no writes: no part of a file is stored until there is room; see docs/operations.md',
    again: 'the store of files takes writes again',
  },
};

export function createStorageState(log: Logger, of: keyof typeof sentences = 'database'): StorageState {
  let full = false;
  let shut = false;
  function refused(error: unknown): boolean {
    if (!isStorageFull(error)) return false;
    if (!full) {
      log.error({ code: rootCodeOf(error) }, sentences[of].full);
    }
    full = true;
    shut = true;
    return true;
  }
  return {
    refused,
    async tryTo(work) {
      try {
        await work;
        return true;
      } catch (error) {
        if (refused(error)) return false;
        throw error;
      }
    },
    stored() {
      if (full) log.info(sentences[of].again);
      full = false;
      shut = false;
    },
    isFull: () => full,
    tryAgain: () => {
      shut = false;
    },
    isShut: () => shut,
  };
}

/** Codes of a file that this program may not open or write. */
const NOT_WRITABLE = /^(?:EACCES|EPERM|SQLITE_CANTOPEN)/;

/**
 * The sentence for whoever starts a program on a disk that takes nothing.
 * @returns the error itself where it says something else
 */
export function asStartProblem(error: unknown, dataDir: string): unknown {
  const code = rootCodeOf(error);
  if (error instanceof StartProblem) return error;
  if (isStorageFull(error)) {
    return new StartProblem(
      `Nothing can be stored (${code}): the disk of the data folder ${dataDir}, or of the database, is full, has reached a limit, or is read-only. Make room on it, or make it writable, and start again. Nothing that was stored is lost.`,
    );
  }
  if (!code || !NOT_WRITABLE.test(code)) return error;
  return new StartProblem(
    `The data folder ${dataDir} cannot be used (${code}): the server may not write there. Give it to the user that runs the server.`,
  );
}

/** The code of an error, or of the one that has caused it. */
function rootCodeOf(error: unknown): string | undefined {
  return codeOf(error) ?? (error instanceof Error && error.cause ? rootCodeOf(error.cause) : undefined);
}
