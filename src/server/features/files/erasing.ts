// Erases bytes in the store of files: of what the database says is gone, and once a day of what it knows nothing of, as a
// server leaves it that is killed between the store and the database. A lane of its own: a store that is silent keeps up
// nothing else.
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import type { StoredPart } from '../../adapters/file-store.ts';
import type { Deps } from '../../deps.ts';
import { nextToErase, noteErased, postponeErasing, unknownParts } from './erasing-store.ts';

type Erasing = Pick<Deps, 'db' | 'now' | 'fileStore' | 'fileStorage' | 'log'>;

/** How old a part is at least that nobody knows: a younger one may be about to be written down. */
const ORPHAN_AGE = DAY;
/** When they are looked for first, after a start. */
const FIRST_SEARCH = HOUR;
const SEARCH_EVERY = DAY;
/** So many that nobody knows are always erased; more only where they are no larger a share of all. */
const ALWAYS_ERASED = 50;
const ERASED_SHARE = 1 / 10;
const TOO_MANY =
  'the store of files holds many parts that the database does not know, and none of them was erased: does this database belong to this store?';
/** How long what is due is erased at a time, before the rest has its turn in the next run. */
const TURN = 2 * MINUTE;
/** How many names the database is asked for at once. */
const TOGETHER = 200;

/** @returns the work of the lane: what is due by now. @param signal ends it between two files */
export function createFileErasing(deps: Erasing, signal?: AbortSignal): () => Promise<void> {
  let nextSearch = deps.now() + FIRST_SEARCH;
  return async () => {
    await eraseFiles(deps, signal);
    if (deps.now() < nextSearch) return;
    nextSearch = deps.now() + SEARCH_EVERY;
    await eraseOrphans(deps, signal);
  };
}

/** Erases the bytes of files that are gone. What cannot be erased keeps none of the others waiting, and is tried again. */
export async function eraseFiles(deps: Erasing, signal?: AbortSignal): Promise<void> {
  const until = deps.now() + TURN;
  for (let due = await nextToErase(deps); due.length > 0; due = await nextToErase(deps)) {
    for (const file of due) {
      if (signal?.aborted || deps.now() > until) return;
      try {
        await deps.fileStore.removeAll(file);
      } catch (error) {
        deps.log.warn(
          { err: error },
          'the bytes of an erased file could not be erased; they are tried again',
        );
        await postponeErasing(deps, file);
        continue;
      }
      await noteErased(deps, file);
    }
  }
}

/**
 * Erases parts that no file has, unless they are so many that this database cannot be the one that they belong to: one that
 * is empty, older, or another one's.
 * @returns how many were erased
 */
export async function eraseOrphans(deps: Erasing, signal?: AbortSignal): Promise<number> {
  const { now, fileStore, fileStorage, log } = deps;
  const over = now() - ORPHAN_AGE;
  let [seen, unknown] = [0, 0];
  for await (const some of searched(deps, over)) {
    if (signal?.aborted) return 0;
    seen += some.seen;
    unknown += some.unknown.length;
  }
  if (unknown > ALWAYS_ERASED && unknown > seen * ERASED_SHARE) {
    log.error({ seen, unknown }, TOO_MANY);
    return 0;
  }
  if (unknown === 0) return 0;
  let erased = 0;
  for await (const some of searched(deps, over)) {
    for (const part of some.unknown) {
      if (signal?.aborted) return erased;
      try {
        await fileStore.remove(part);
      } catch (error) {
        // It is read-only, and says nothing of the disk of the database.
        if (fileStorage.refused(error)) return erased;
        throw error;
      }
      erased += 1;
    }
  }
  if (erased > 0) log.info({ parts: erased }, 'parts of files that nobody knew were erased');
  return erased;
}

/** Goes through the parts that are so old, some at a time: how many they are, and which of them no file has. */
async function* searched(
  { db, fileStore }: Erasing,
  over: number,
): AsyncGenerator<{ seen: number; unknown: StoredPart[] }, void, undefined> {
  let parts: StoredPart[] = [];
  const look = async () => {
    const names = parts.map(({ name }) => name);
    const unknown = names.length === 0 ? new Set<string>() : await unknownParts(db, names);
    return { seen: names.length, unknown: parts.filter(({ name }) => unknown.has(name)) };
  };
  for await (const { at, ...part } of fileStore.list()) {
    // A bucket that does not say when has a part that may be young.
    if (!(at <= over)) continue;
    parts.push(part);
    if (parts.length < TOGETHER) continue;
    yield await look();
    parts = [];
  }
  yield await look();
}
