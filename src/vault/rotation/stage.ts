// Sealing what was gathered under the next key, and staging it in batches. Nothing that is staged counts until the
// regeneration is finished.
import {
  BATCH_MAX,
  type LeftEntry,
  type ResealedEntry,
  regeneration,
} from '../../shared/nouns/regeneration.ts';
import { markNames } from '../../shared/sealed-kinds.ts';
import type { WrittenRow } from '../book/written.ts';
import type { ListedVault } from '../replica/row-list.ts';
import type { Gathered, Opened } from './gather.ts';

const BATCH = Math.min(200, BATCH_MAX);
/** In characters of JSON: far below the largest body, and a few seconds on a slow line. */
const BATCH_SIZE = 1_500_000;
/** How many entries are sealed before any of them is sent. */
const AT_ONCE = 50;

/** How far it has come, in entries; `finishing` once nothing can be stopped any more. */
export interface Progress {
  done: number;
  all: number;
  finishing: boolean;
}

/** What this regeneration has staged so far, by entry. */
export type Staged = Map<string, Pick<Opened, 'entry' | 'stamp'> & { written: WrittenRow }>;

const nameOf = ({ kind, id }: LeftEntry) => `${kind} ${id}`;

/**
 * Stages what is not staged yet in its present version.
 * @throws AbortError by `signal`, SealError, ApiError, TypeError
 */
export async function stage(
  id: string,
  { opened, left, outside, unknownKits, stays }: Gathered,
  next: ListedVault,
  staged: Staged,
  progress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  const waiting = opened.filter(({ entry, stamp }) => staged.get(nameOf(entry))?.stamp !== stamp);
  let done = opened.length - waiting.length;
  const report = () => progress({ done, all: opened.length, finishing: false });
  report();
  for await (const batch of sealedBatches(waiting, next, signal)) {
    await next.api.send(regeneration.stage, {
      body: { id, entries: batch.map(({ sealed }) => sealed), left: [] },
      signal,
    });
    for (const { one, sealed } of batch)
      staged.set(nameOf(one.entry), { ...one, written: writtenOf(one, sealed) });
    done += batch.length;
    report();
  }
  // What was staged and cannot be had any more, because it was locked or deleted since, must not stay staged.
  const present = new Set(opened.map(({ entry }) => nameOf(entry)));
  const gone = [...staged].filter(([name]) => !present.has(name));
  // What the next ring notes is left by name, so that the server misses what came since and was not noted.
  const noted = stays.map(({ entry }) => entry);
  const leave = [...left, ...outside, ...unknownKits, ...noted, ...gone.map(([, { entry }]) => entry)];
  for (let at = 0; at < leave.length; at += BATCH_MAX) {
    await next.api.send(regeneration.stage, {
      body: { id, entries: [], left: leave.slice(at, at + BATCH_MAX) },
      signal,
    });
  }
  for (const [name] of gone) staged.delete(name);
  signal.throwIfAborted();
}

/** As much of it as the book wants to know: the words themselves are on the server already. */
function writtenOf({ sealId, leaf }: Opened, { kind, ...row }: ResealedEntry): WrittenRow {
  const marks = Object.entries(row).filter(([field]) => markNames(kind).includes(field));
  return { kind, sealId, sealed: Object.fromEntries(marks), over: leaf };
}

type Batch = { one: Opened; sealed: ResealedEntry }[];

/** Entries sealed under the next key, in batches of a bearable number and size. */
async function* sealedBatches(
  waiting: readonly Opened[],
  next: ListedVault,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  let batch: Batch = [];
  let size = 0;
  for (let at = 0; at < waiting.length; at += AT_ONCE) {
    signal.throwIfAborted();
    const some = waiting.slice(at, at + AT_ONCE);
    const seals = await Promise.all(some.map(async (one) => ({ one, sealed: await one.reseal(next) })));
    for (const seal of seals) {
      const length = JSON.stringify(seal.sealed).length;
      if (batch.length === BATCH || (batch.length > 0 && size + length > BATCH_SIZE)) {
        yield batch;
        batch = [];
        size = 0;
      }
      batch.push(seal);
      size += length;
    }
  }
  if (batch.length > 0) yield batch;
}
