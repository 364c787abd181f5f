// Erases bytes in the store of files: of what the database says is gone, and once a day of what it knows nothing of, as a
// server leaves it that is killed between the store and the database. A lane of its own: a store that is silent keeps up
// nothing else.
import { DAY, HOUR } from '../../../shared/time.ts';
import type { StoredPart } from '../../adapters/file-store.ts';
import type { Deps } from '../../deps.ts';
import { nextToErase, noteErased, postponeErasing, unknownParts } from './erasing-store.ts';

type Erasing = Pick<Deps, 'db' | 'now' | 'fileStore' | 'log'>;

/** How old a part is at least that nobody knows: a younger one may be about to be written down. */
const ORPHAN_AGE = DAY;
/** When they are looked for first, after a start. */
const FIRST_SEARCH = HOUR;
const SEARCH_EVERY = DAY;
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
  for (let due = await nextToErase(deps); due.length > 0; due = await nextToErase(deps)) {
    for (const file of due) {
      if (signal?.aborted) return;
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

/** Erases parts that no file has. @returns how many there were */
export async function eraseOrphans(
  { db, now, fileStore, log }: Erasing,
  signal?: AbortSignal,
): Promise<number> {
  const over = now() - ORPHAN_AGE;
  let erased = 0;
  let asked: StoredPart[] = [];
  async function eraseUnknown(): Promise<void> {
    if (asked.length === 0) return;
    const unknown = await unknownParts(
      db,
      asked.map(({ name }) => name),
    );
    for (const part of asked.filter(({ name }) => unknown.has(name))) {
      await fileStore.remove(part);
      erased += 1;
    }
    asked = [];
  }
  for await (const { at, ...part } of fileStore.list()) {
    if (signal?.aborted) return erased;
    if (at <= over) asked.push(part);
    if (asked.length >= TOGETHER) await eraseUnknown();
  }
  await eraseUnknown();
  if (erased > 0) log.info({ parts: erased }, 'parts of files that nobody knew were erased');
  return erased;
}
