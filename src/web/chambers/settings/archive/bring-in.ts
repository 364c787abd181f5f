// Bringing an archive's entries into this vault, oldest first. What is here already, known by the number of its seal,
// is left as it is; so an import that was interrupted is simply begun again.

import { PAGE_MAX } from '../../../../shared/http/wire.ts';
import { legacyScrolls } from '../../../../shared/nouns/legacy.ts';
import { everyPage } from '../../../api/every-page.ts';
import { bringEach } from '../../../vault/entries/bringing.ts';
import { bringEntry, loadCollection, refreshCollection } from '../../../vault/entries/collection.ts';
import { detailsFromJson } from '../../../vault/entries/details.ts';
import { memoryCodec } from '../../../vault/entries/memories.ts';
import { mythCodec } from '../../../vault/entries/myths.ts';
import { relationshipCodec } from '../../../vault/entries/relationships.ts';
import { NEUTRAL, sealMoment } from '../../../vault/entries/sealed-moment.ts';
import { listWhispers } from '../../../vault/legacy/whispers/list-whispers.ts';
import type { OpenVault } from '../../../vault/session/vault-context.ts';
import type { EntriesFile } from './entries-file.ts';
import { asMemory, bringLetter } from './letters.ts';

const allScrolls = ({ api }: OpenVault) =>
  everyPage((before) => api.sendForPage(legacyScrolls.list, { query: { limit: PAGE_MAX, before } }));

/** A moment of an archive as it is sealed: with its kind and weight, or neutral ones where nobody could read them. */
function momentDraft({ personName, content, createdAt, ...entry }: Bringable['relationships'][number]) {
  const { eventType: kind = NEUTRAL.eventType, emotionalWeight: weight = NEUTRAL.emotionalWeight } = entry;
  const { details, clear } = sealMoment(detailsFromJson(entry.details), { kind, weight });
  return { texts: { personName, encryptedContent: content, details }, clear: { ...clear, createdAt } };
}

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
      bring: () => bringEntry(relationshipCodec, vault, momentDraft(entry), entry.sealId),
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
  try {
    return await bringEach(works, { tell, signal });
  } finally {
    await Promise.all([
      refreshCollection(memoryCodec, vault),
      refreshCollection(relationshipCodec, vault),
      refreshCollection(mythCodec, vault),
      vault.queryClient.invalidateQueries({ queryKey: ['opened', legacyScrolls.list.path] }),
    ]);
  }
}
