// Bringing an archive's entries into this vault, oldest first. What is here already, known by the number of its seal,
// is left as it is; so an import that was interrupted is simply begun again.

import { PAGE_MAX } from '../../../../shared/http/wire.ts';
import { legacyScrolls } from '../../../../shared/nouns/legacy.ts';
import { ApiError } from '../../../api/api-error.ts';
import { everyPage } from '../../../api/every-page.ts';
import { bringEntry, loadCollection, refreshCollection } from '../../../vault/entries/collection.ts';
import { detailsFromJson } from '../../../vault/entries/details.ts';
import { memoryCodec } from '../../../vault/entries/memories.ts';
import { mythCodec } from '../../../vault/entries/myths.ts';
import { relationshipCodec } from '../../../vault/entries/relationships.ts';
import { listWhispers } from '../../../vault/legacy/whispers/list-whispers.ts';
import type { OpenVault } from '../../../vault/session/vault-context.ts';
import type { EntriesFile } from './entries-file.ts';
import { asMemory, bringLetter } from './letters.ts';

/** How many are on their way at once. */
const AT_ONCE = 4;

const allScrolls = ({ api }: OpenVault) =>
  everyPage((before) => api.sendForPage(legacyScrolls.list, { query: { limit: PAGE_MAX, before } }));

/** What can be brought in. */
export type Bringable = Pick<EntriesFile, 'memories' | 'relationships' | 'myths' | 'letters' | 'whispers'>;

export const total = ({ memories, relationships, myths, letters, whispers }: Bringable): number =>
  memories.length + relationships.length + myths.length + letters.length + whispers.length;

/** The archive's entries that this vault does not have yet. */
export async function missingEntries(
  { memories, relationships, myths, letters, whispers }: Bringable,
  vault: OpenVault,
): Promise<Bringable> {
  const [hereMemories, hereRelationships, hereMyths, scrolls, left] = await Promise.all([
    loadCollection(memoryCodec, vault),
    loadCollection(relationshipCodec, vault),
    loadCollection(mythCodec, vault),
    allScrolls(vault),
    listWhispers(vault.api),
  ]);
  const unknownTo = (here: readonly { sealId: string | null }[]) => {
    const known = new Set(here.map(({ sealId }) => sealId));
    return ({ sealId }: { sealId: string }) => !known.has(sealId);
  };
  const leftHere = new Set(left.map(({ publicId }) => publicId));
  return {
    memories: memories.filter(unknownTo(hereMemories)),
    relationships: relationships.filter(unknownTo(hereRelationships)),
    myths: myths.filter(unknownTo(hereMyths)),
    letters: letters.filter(unknownTo(scrolls)),
    // As a memory that an earlier import has made of it, or still as what it is.
    whispers: whispers.filter(unknownTo(hereMemories)).filter(({ publicId }) => !leftHere.has(publicId)),
  };
}

/**
 * Not everything could be brought in. What was stays, so that the same import goes on with the rest. Its cause is
 * undefined where a person has ended it.
 */
export class BringingStopped extends Error {
  /** How many were kept before that. */
  readonly kept: number;
  constructor(kept: number, cause: unknown) {
    super('an import stopped', { cause });
    this.kept = kept;
  }
}

/** Waits as long as a server that is asked too often wants. */
async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429) || signal.aborted) throw error;
      await pause((error.retryAfter ?? 10) * 1000, signal);
    }
  }
}

/** Waits, in milliseconds, or until somebody ends it. */
function pause(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/**
 * Seals the entries under this vault's key and keeps them.
 * @param options `tell` learns how many have been dealt with so far; `signal` lets no further one begin
 * @returns how many were kept; the others were here already after all
 * @throws BringingStopped at the first that cannot be kept
 */
export async function bringIn(
  { memories, relationships, myths, letters, whispers }: Bringable,
  vault: OpenVault,
  { tell, signal }: { tell: (done: number) => void; signal: AbortSignal },
): Promise<number> {
  const works = [
    ...letters.map((letter) => ({
      at: letter.createdAt,
      bring: () => bringLetter(letter, vault, Date.now()),
    })),
    ...[...memories, ...whispers.map(asMemory)].map((memory) => ({
      at: memory.createdAt,
      bring: () =>
        bringEntry(
          memoryCodec,
          vault,
          {
            texts: {
              title: memory.title,
              encryptedContent: memory.content,
              details: detailsFromJson(memory.details),
            },
            clear: { timeLockUntil: memory.timeLockUntil, createdAt: memory.createdAt },
          },
          memory.sealId,
        ),
    })),
    ...relationships.map((entry) => ({
      at: entry.createdAt,
      bring: () =>
        bringEntry(
          relationshipCodec,
          vault,
          {
            texts: {
              personName: entry.personName,
              encryptedContent: entry.content,
              details: detailsFromJson(entry.details),
            },
            clear: {
              eventType: entry.eventType,
              emotionalWeight: entry.emotionalWeight,
              createdAt: entry.createdAt,
            },
          },
          entry.sealId,
        ),
    })),
    ...myths.map((entry) => ({
      at: entry.createdAt,
      bring: () =>
        bringEntry(
          mythCodec,
          vault,
          {
            texts: {
              title: entry.title,
              encryptedContent: entry.content,
              details: detailsFromJson(entry.details),
            },
            clear: { storyType: entry.storyType, createdAt: entry.createdAt },
          },
          entry.sealId,
        ),
    })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  let next = 0;
  let done = 0;
  let kept = 0;
  const problems: unknown[] = [];
  const lane = async () => {
    while (next < works.length && problems.length === 0 && !signal.aborted) {
      const work = works[next++];
      if (!work) return;
      try {
        if (await patiently(work.bring, signal)) kept += 1;
      } catch (error) {
        problems.push(error);
        return;
      }
      tell(++done);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    // Only now: what was on its way has arrived, and is counted.
    if (problems.length > 0) throw new BringingStopped(kept, problems[0]);
    if (signal.aborted && next < works.length) throw new BringingStopped(kept, undefined);
    return kept;
  } finally {
    await Promise.all([
      refreshCollection(memoryCodec, vault),
      refreshCollection(relationshipCodec, vault),
      refreshCollection(mythCodec, vault),
      vault.queryClient.invalidateQueries({ queryKey: ['opened', legacyScrolls.list.path] }),
    ]);
  }
}
