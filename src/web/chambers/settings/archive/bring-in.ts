// Bringing an archive's entries into this vault, oldest first. What is here already, known by the number of its seal,
// is left as it is; so an import that was interrupted is simply begun again.
import { ApiError } from '../../../api/client.ts';
import { bringEntry, loadCollection, refreshCollection } from '../../../vault/collections/collection.ts';
import { memoryKind } from '../../../vault/collections/memories.ts';
import { relationshipKind } from '../../../vault/collections/relationships.ts';
import type { OpenVault } from '../../../vault/vault-context.ts';
import type { EntriesFile } from './entries-file.ts';

/** How many are on their way at once. */
const AT_ONCE = 4;

/** The archive's entries that this vault does not have yet. */
export async function missingEntries(
  { memories, relationships }: EntriesFile,
  vault: OpenVault,
): Promise<Pick<EntriesFile, 'memories' | 'relationships'>> {
  const [hereMemories, hereRelationships] = await Promise.all([
    loadCollection(memoryKind, vault),
    loadCollection(relationshipKind, vault),
  ]);
  const unknownTo = (here: readonly { sealId: string | null }[]) => {
    const known = new Set(here.map(({ sealId }) => sealId));
    return ({ sealId }: { sealId: string }) => !known.has(sealId);
  };
  return {
    memories: memories.filter(unknownTo(hereMemories)),
    relationships: relationships.filter(unknownTo(hereRelationships)),
  };
}

/** Waits as long as a server that is asked too often wants. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429)) throw error;
      const seconds = error.retryAfter ?? 10;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }
}

/**
 * Seals the entries under this vault's key and keeps them.
 * @param tell how many have been dealt with so far
 * @returns how many were kept; the others were here already after all
 * @throws ApiError or TypeError at the first that cannot be kept; those before it stay
 */
export async function bringIn(
  { memories, relationships }: Pick<EntriesFile, 'memories' | 'relationships'>,
  vault: OpenVault,
  tell: (done: number) => void,
): Promise<number> {
  const works = [
    ...memories.map((memory) => ({
      at: memory.createdAt,
      bring: () =>
        bringEntry(
          memoryKind,
          vault,
          {
            texts: { title: memory.title, encryptedContent: memory.content },
            clear: { timeLockUntil: memory.timeLockUntil, createdAt: memory.createdAt },
          },
          memory.sealId,
        ),
    })),
    ...relationships.map((entry) => ({
      at: entry.createdAt,
      bring: () =>
        bringEntry(
          relationshipKind,
          vault,
          {
            texts: { personName: entry.personName, encryptedContent: entry.content },
            clear: {
              eventType: entry.eventType,
              emotionalWeight: entry.emotionalWeight,
              createdAt: entry.createdAt,
            },
          },
          entry.sealId,
        ),
    })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  let next = 0;
  let done = 0;
  let kept = 0;
  let failed = false;
  const lane = async () => {
    while (next < works.length && !failed) {
      const work = works[next++];
      if (!work) return;
      try {
        if (await patiently(work.bring)) kept += 1;
      } catch (error) {
        failed = true;
        throw error;
      }
      tell(++done);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return kept;
  } finally {
    await Promise.all([refreshCollection(memoryKind, vault), refreshCollection(relationshipKind, vault)]);
  }
}
