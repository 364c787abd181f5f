// Everything of a vault that its browser can open, and what it cannot: nothing is dropped silently.

import type { RowOf } from '../../shared/nouns/sealed-rows.ts';
import type { Whisper } from '../../shared/nouns/whispers.ts';
import { compareWithBook, fetchCompared } from '../book/compare-with-book.ts';
import { whoseDetailsAreHidden } from '../book/hidden-details.ts';
import { type EntryKind, type EntryType, isWhole, type Readable } from '../kinds/entry-kind.ts';
import { everyEntryKind } from '../kinds/entry-kinds.ts';
import { ghostKind } from '../kinds/ghost.ts';
import { guardianKitKind } from '../kinds/guardian-kit.ts';
import { sacredKeyKind } from '../kinds/sacred-key.ts';
import type { VaultKind } from '../kinds/vault-kind.ts';
import { listWhispers } from '../legacy/list-whispers.ts';
import { scrollList } from '../legacy/scroll-list.ts';
import { answersList } from '../outbox/answers.ts';
import { breathList } from '../outbox/breath-writer.ts';
import { webhookList } from '../outbox/webhook-writer.ts';
import { fetchDeleted } from '../replica/deleted-rows.ts';
import { entryListOf } from '../replica/entry-list.ts';
import type { ListedVault } from '../replica/row-list.ts';
import { type EntriesFile, partsOf } from './entries-file.ts';
import { countUndescribed } from './files-out.ts';
import { exportedLetters, readAllWhispers } from './letters.ts';

/** What an archive says of the entries of one kind: those that go along, and those that do not. */
async function gatherEntries<N extends EntryType>(kind: EntryKind<N>, vault: ListedVault) {
  const [entries, deleted] = await Promise.all([
    vault.lists.load(entryListOf(kind)),
    fetchDeleted(kind, vault),
  ]);
  // Without the book nothing is known to be hidden, and there is an export all the same.
  const hidden = await whoseDetailsAreHidden(vault, entries).catch(() => new Set());
  const isReadable = (entry: N['entry']): entry is Readable<N['entry']> =>
    entry.name !== null && entry.content !== null && entry.sealId !== null;
  // A lock that is not the one that was sealed explains nothing.
  const lockOf = (entry: N['entry']) =>
    entry.withheld && entry.changed === null ? kind.lockedUntil(entry) : null;
  return {
    kind: kind.noun,
    taken: entries.filter(isReadable).map((entry): N['exported'] => ({
      ...kind.archive.toArchive(entry, hidden.has(entry)),
      sealId: entry.sealId,
      content: entry.content,
      createdAt: entry.createdAt,
      updatedAt: entry.updatedAt,
    })),
    locked: entries.flatMap((entry) => {
      const timeLockUntil = lockOf(entry);
      return timeLockUntil === null ? [] : [{ title: entry.name, timeLockUntil, createdAt: entry.createdAt }];
    }),
    // Also where the words go along, and only their details do not open.
    unreadable: entries
      .filter((entry) => lockOf(entry) === null && !(isWhole(entry) && isReadable(entry)))
      .map(({ id, createdAt }) => ({ kind: kind.noun, id, createdAt })),
    deleted: deleted.length,
  };
}

/** The rows of a kind that stays behind, listed to be counted: what the server says of their number alone is not believed. */
async function fetchStaying<K extends 'ghost' | 'sacred-key' | 'guardian-kit'>(
  name: K,
  kind: VaultKind<K>,
  vault: ListedVault,
): Promise<RowOf[K][]> {
  const rows = await kind.fetch(vault.api);
  compareWithBook(vault, name, rows);
  return rows;
}

/** Everything but the whispers, which are only listed: to fetch one counts as opening it. */
export interface Gathered {
  entries: EntriesFile;
  whispers: Whisper[];
}

/** @throws ApiError or TypeError when something cannot be fetched: half an export is none */
export async function gather(vault: ListedVault): Promise<Gathered> {
  const [lists, ghosts, links, [breath], [answers], scrolls, left, webhooks, kits] = await fetchCompared(() =>
    Promise.all([
      Promise.all(everyEntryKind.map((kind) => gatherEntries(kind, vault))),
      fetchStaying('ghost', ghostKind, vault),
      fetchStaying('sacred-key', sacredKeyKind, vault),
      vault.lists.load(breathList),
      vault.lists.load(answersList),
      vault.lists.load(scrollList),
      listWhispers(vault.api),
      vault.lists.load(webhookList),
      fetchStaying('guardian-kit', guardianKitKind, vault),
    ]),
  );
  const letters = exportedLetters(scrolls);
  const entries: EntriesFile = {
    format: 'latebra/entries',
    v: 1,
    ...partsOf(({ noun }) => lists.find(({ kind }) => kind === noun)?.taken ?? []),
    letters,
    whispers: [],
    answers: answers?.texts ? { ...answers.texts, createdAt: answers.createdAt } : null,
    leftOut: {
      locked: lists.flatMap(({ locked }) => locked),
      unreadable: lists.flatMap(({ unreadable }) => unreadable),
      deleted: lists.reduce((sum, { deleted }) => sum + deleted, 0),
      ghosts: ghosts.filter((ghost) => !ghostKind.isOver(ghost, Date.now())).length,
      links: links.filter(({ hasBeenUsed }) => !hasBeenUsed).length,
      webhooks: webhooks.length,
      breath: breath !== undefined && breath.releasedAt === null,
      answers: answers !== undefined && answers.texts === null,
      scrolls: scrolls.length - letters.length,
      whispers: left.length,
    },
  };
  const undescribed = countUndescribed(entries);
  if (undescribed > 0) entries.leftOut.undescribed = undescribed;
  if (kits.length > 0) entries.leftOut.kits = kits.length;
  return { entries, whispers: left };
}

/** The same with every whisper that opens, which from then on counts as opened. @throws as `gather` */
export async function withWhispers(
  { entries, whispers }: Gathered,
  vault: ListedVault,
): Promise<EntriesFile> {
  const read = await readAllWhispers(whispers, vault);
  const leftOut = { ...entries.leftOut, whispers: whispers.length - read.length };
  return { ...entries, whispers: read, leftOut };
}
