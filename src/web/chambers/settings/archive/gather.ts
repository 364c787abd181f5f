// Everything of a vault that its browser can open, and what it cannot: nothing is dropped silently.

import { PAGE_MAX } from '../../../../shared/http/wire.ts';
import { finalBreath } from '../../../../shared/nouns/final-breath.ts';
import { importWebhooks } from '../../../../shared/nouns/import-webhooks.ts';
import { legacyScrolls } from '../../../../shared/nouns/legacy.ts';
import { summary } from '../../../../shared/nouns/summary.ts';
import type { Whisper } from '../../../../shared/nouns/whispers.ts';
import { everyPage } from '../../../api/every-page.ts';
import { whoseDetailsAreHidden } from '../../../vault/book/hidden-details.ts';
import { holdAgainstBook } from '../../../vault/book/hold-against.ts';
import { openAnswers } from '../../../vault/entries/answers.ts';
import { loadCollection } from '../../../vault/entries/collection.ts';
import { fetchDeleted } from '../../../vault/entries/deleted.ts';
import { detailsToJson } from '../../../vault/entries/details.ts';
import { isWhole } from '../../../vault/entries/entry-codec.ts';
import { memoryCodec } from '../../../vault/entries/memories.ts';
import { mythCodec } from '../../../vault/entries/myths.ts';
import { relationshipCodec } from '../../../vault/entries/relationships.ts';
import { isSaid, withoutMoment } from '../../../vault/entries/sealed-moment.ts';
import { listWhispers } from '../../../vault/legacy/whispers/list-whispers.ts';
import type { OpenVault } from '../../../vault/session/vault-context.ts';
import type { EntriesFile } from './entries-file.ts';
import { exportedLetters, readAllWhispers } from './letters.ts';

const allScrolls = ({ api }: OpenVault) =>
  everyPage((before) => api.sendForPage(legacyScrolls.list, { query: { limit: PAGE_MAX, before } }));

/** How many entries were deleted and can be restored. */
async function countDeleted(vault: OpenVault): Promise<number> {
  const lists = await Promise.all([
    fetchDeleted(memoryCodec, vault),
    fetchDeleted(relationshipCodec, vault),
    fetchDeleted(mythCodec, vault),
  ]);
  return lists.flat().length;
}

/** Everything but the whispers, which are only listed: to fetch one counts as opening it. */
export interface Gathered {
  entries: EntriesFile;
  whispers: Whisper[];
}

/** @throws ApiError or TypeError when something cannot be fetched: half an export is none */
export async function gather(vault: OpenVault): Promise<Gathered> {
  const [memories, relationships, myths, deleted, counts, breath, answers, scrolls, left, webhooks] =
    await Promise.all([
      loadCollection(memoryCodec, vault),
      loadCollection(relationshipCodec, vault),
      loadCollection(mythCodec, vault),
      countDeleted(vault),
      vault.api.send(summary.get, {}),
      vault.api.send(finalBreath.get, {}),
      openAnswers(vault),
      allScrolls(vault),
      listWhispers(vault.api),
      vault.api.send(importWebhooks.list, {}),
    ]);
  holdAgainstBook(vault, 'legacy-scroll', scrolls);
  const readable = <E extends { name: string | null; content: string | null; sealId: string | null }>(
    entry: E,
  ): entry is E & { name: string; content: string; sealId: string } =>
    entry.name !== null && entry.content !== null && entry.sealId !== null;
  // A lock that is not the one that was sealed explains nothing.
  const isLocked = ({ withheld, changed, timeLockUntil }: (typeof memories)[number]) =>
    withheld && changed === null && timeLockUntil !== null;
  const unreadable =
    (kind: 'memory' | 'relationship' | 'myth') => (entry: { id: number; createdAt: string }) => ({
      kind,
      id: entry.id,
      createdAt: entry.createdAt,
    });
  // Without the book nothing is known to be hidden, and there is an export all the same.
  const hidden = await whoseDetailsAreHidden(vault, relationships).catch(() => new Set());
  const letters = await exportedLetters(scrolls, vault);
  const entries: EntriesFile = {
    format: 'latebra/entries',
    v: 1,
    memories: memories.filter(readable).map((entry) => ({
      sealId: entry.sealId,
      title: entry.name,
      content: entry.content,
      details: detailsToJson(entry.detailsText),
      timeLockUntil: entry.timeLockUntil,
      createdAt: entry.createdAt,
      updatedAt: entry.updatedAt,
    })),
    relationships: relationships.filter(readable).map((entry) => ({
      sealId: entry.sealId,
      personName: entry.name,
      ...(isSaid(entry, hidden.has(entry)) && { eventType: entry.kind, emotionalWeight: entry.weight }),
      content: entry.content,
      details: detailsToJson(withoutMoment(entry.detailsText)),
      createdAt: entry.createdAt,
      updatedAt: entry.updatedAt,
    })),
    myths: myths.filter(readable).map((entry) => ({
      sealId: entry.sealId,
      title: entry.name,
      storyType: entry.storyType,
      content: entry.content,
      details: detailsToJson(entry.detailsText),
      createdAt: entry.createdAt,
      updatedAt: entry.updatedAt,
    })),
    letters,
    whispers: [],
    answers: answers?.texts ? { ...answers.texts, createdAt: answers.createdAt } : null,
    leftOut: {
      locked: memories.filter(isLocked).map(({ name, timeLockUntil, createdAt }) => ({
        title: name,
        timeLockUntil: timeLockUntil ?? '',
        createdAt,
      })),
      unreadable: [
        // Also where the words go along, and only their details do not open.
        ...memories
          .filter((entry) => !isLocked(entry) && !(isWhole(entry) && readable(entry)))
          .map(unreadable('memory')),
        ...relationships
          .filter((entry) => !(isWhole(entry) && readable(entry)))
          .map(unreadable('relationship')),
        ...myths.filter((entry) => !(isWhole(entry) && readable(entry))).map(unreadable('myth')),
      ],
      deleted,
      ghosts: counts.ghosts,
      links: counts.shareableKeys,
      webhooks: webhooks.length,
      breath: breath !== null && breath.releasedAt === null,
      answers: answers !== null && answers.texts === null,
      scrolls: scrolls.length - letters.length,
      whispers: left.length,
    },
  };
  return { entries, whispers: left };
}

/** The same with every whisper that opens, which from then on counts as opened. @throws as `gather` */
export async function withWhispers({ entries, whispers }: Gathered, vault: OpenVault): Promise<EntriesFile> {
  const read = await readAllWhispers(whispers, vault);
  const leftOut = { ...entries.leftOut, whispers: whispers.length - read.length };
  return { ...entries, whispers: read, leftOut };
}
