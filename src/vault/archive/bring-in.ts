// Bringing an archive's entries into this vault, oldest first. What is here already, known by the number of its seal,
// is left as it is; so an import that was interrupted is simply begun again.

import { utf8 } from '../../crypto/encoding.ts';
import { numberOfKeptWhisper } from '../../crypto/number-beside.ts';
import { refusedAs } from '../api/api-error.ts';
import { detailsFromJson } from '../entries/details.ts';
import { type FileRef, readFiles } from '../files/file-ref.ts';
import type { EntryKindName } from '../kinds/entry-kind.ts';
import { everyEntryKind } from '../kinds/entry-kinds.ts';
import { listWhispers } from '../legacy/list-whispers.ts';
import { isScrollHere, scrollList } from '../legacy/scroll-list.ts';
import { bringEach } from '../outbox/bringing.ts';
import { bringEntry } from '../outbox/brought-rows.ts';
import { isEntryHere, noteHere } from '../outbox/here-already.ts';
import { entryListOf } from '../replica/entry-list.ts';
import type { ListedVault } from '../replica/row-list.ts';
import {
  type EntriesFile,
  type ExportedLetter,
  type ExportedWhisper,
  entriesOf,
  partsOf,
} from './entries-file.ts';
import type { FilesIn } from './files-in.ts';
import { asMemory, bringLetter, readAllWhispers } from './letters.ts';

/** What can be brought in. */
export type Bringable = Omit<EntriesFile, 'format' | 'v' | 'answers' | 'leftOut' | 'files'>;

export const total = (found: Bringable): number =>
  everyEntryKind.reduce(
    (sum, kind) => sum + entriesOf(found, kind).length,
    found.letters.length + found.whispers.length,
  );

const everythingOf = (found: Bringable) => [
  ...everyEntryKind.flatMap((kind) => entriesOf(found, kind)),
  ...found.letters,
  ...found.whispers,
];

/** How long each of them is, in bytes of UTF-8: its text, and its details, which come along without the files that they describe. */
export const textsOf = (found: Bringable): number[] =>
  everythingOf(found).map(
    ({ content, details }) => utf8(content).length + utf8(detailsFromJson(details) ?? '').length,
  );

/** The files of entries, letters and whispers that lie in their archive, and so can be brought. */
export function filesWithin(found: Bringable, { files = [] }: Pick<EntriesFile, 'files'>): FileRef[] {
  const there = new Set(files.map(({ id }) => id));
  return everythingOf(found).flatMap(({ details }) =>
    readFiles(detailsFromJson(details)).files.filter(({ id }) => there.has(id)),
  );
}

/**
 * The archive's entries that this vault does not have yet: also those of which it has what does not open. What it has counts as
 * written from now on.
 * @throws ApiError, TypeError
 */
export async function missingEntries(found: Bringable, vault: ListedVault): Promise<Bringable> {
  const [lists, scrolls, left] = await Promise.all([
    Promise.all(everyEntryKind.map((kind) => vault.lists.load(entryListOf(kind)))),
    vault.lists.load(scrollList),
    listWhispers(vault.api),
  ]);
  const hereOf = (noun: EntryKindName) =>
    (lists[everyEntryKind.findIndex((kind) => kind.noun === noun)] ?? []).filter(isEntryHere);
  const parts = everyEntryKind.map((kind) => ({
    kind,
    ...split(entriesOf(found, kind), hereOf(kind.noun)),
  }));
  const letters = split(found.letters, scrolls.filter(isScrollHere));
  const whispers = splitWhispers(await numbered(found.whispers), hereOf('memory'));
  for (const { kind, here } of parts) await noteHere(vault, kind.noun, here);
  await noteHere(vault, 'memory', whispers.here);
  await noteHere(vault, 'legacy-scroll', letters.here);
  return {
    ...partsOf((kind) => parts.find((part) => part.kind === kind)?.missing ?? []),
    letters: letters.missing,
    // As a memory that an earlier import has made of it, or still as what it is.
    whispers: await withoutLeft(whispers.missing, left, vault),
  };
}

/** Those that are not left in this vault: one is where it opens, and is what the archive has. That a list names it says nothing. */
async function withoutLeft(
  found: Bringable['whispers'],
  left: Awaited<ReturnType<typeof listWhispers>>,
  vault: ListedVault,
): Promise<ExportedWhisper[]> {
  const missing: ExportedWhisper[] = [];
  for (const whisper of found) {
    const rows = left.filter(({ publicId }) => publicId === whisper.publicId);
    const opened = await readAllWhispers(rows, vault).catch((error: unknown) => {
      if (refusedAs(error, 'not-found')) return [];
      throw error;
    });
    const isHere = opened.some(
      ({ sealId, title, content }) =>
        sealId === whisper.sealId && title === whisper.title && content === whisper.content,
    );
    if (!isHere) missing.push(whisper);
  }
  return missing;
}

/** Whispers with the numbers of the memories that are made of them. */
const numbered = (whispers: Bringable['whispers']) =>
  Promise.all(
    whispers.map(async (whisper) => ({ whisper, sealId: await numberOfKeptWhisper(whisper.sealId) })),
  );

/** Which whispers are here as memories: by the numbers that these have now, or as they had the whispers' own before. */
function splitWhispers<R extends { sealId: string | null }>(
  whispers: Awaited<ReturnType<typeof numbered>>,
  memories: readonly R[],
) {
  const kept = split(whispers, memories);
  const asBefore = split(
    kept.missing.map(({ whisper }) => whisper),
    memories,
  );
  return { missing: asBefore.missing, here: [...kept.here, ...asBefore.here] };
}

/** What of an archive's part is here, and what is not. */
function split<A extends { sealId: string }, R extends { sealId: string | null }>(
  part: readonly A[],
  rows: readonly R[],
): { missing: A[]; here: R[] } {
  const known = new Map(rows.map((row) => [row.sealId, row]));
  return {
    missing: part.filter(({ sealId }) => !known.has(sealId)),
    here: part.flatMap(({ sealId }) => known.get(sealId) ?? []),
  };
}

/**
 * Seals the entries under this vault's key and keeps them.
 * @param options `tell` learns how many have been dealt with so far; `signal` lets no further one begin; `files` brings what the
 *   entries have besides words, where the archive has that
 * @returns how many were kept; the others were here already after all
 * @throws BringingStopped at the first that cannot be kept
 */
export async function bringIn(
  found: Bringable,
  vault: ListedVault,
  { tell, signal, files }: { tell: (done: number) => void; signal: AbortSignal; files?: FilesIn },
): Promise<number> {
  const { letters } = found;
  const kept = (await numbered(found.whispers)).map(({ whisper, sealId }) => asMemory(whisper, sealId));
  const withWhispers = { ...found, memories: [...found.memories, ...kept] };
  const filesOf = async ({ sealId, details }: Pick<ExportedLetter, 'sealId' | 'details'>) => {
    const text = detailsFromJson(details);
    return files ? files.bring(sealId, text, signal) : { details: text, added: [] };
  };
  const works = [
    ...letters.map((letter) => ({
      at: letter.createdAt,
      bring: async () => bringLetter(letter, vault, Date.now(), await filesOf(letter)),
    })),
    ...everyEntryKind.flatMap((kind) =>
      entriesOf(withWhispers, kind).map((entry) => ({
        at: entry.createdAt,
        async bring() {
          const brought = await filesOf(entry);
          const draft = kind.archive.toDraft(entry, brought.details);
          const added = { added: brought.added, removed: [] };
          return bringEntry(kind, vault, { ...draft, files: added }, entry.sealId);
        },
      })),
    ),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  try {
    return await bringEach(works, { tell, signal });
  } finally {
    await Promise.all([
      ...everyEntryKind.map((kind) => vault.lists.refresh(kind)),
      vault.lists.refresh(scrollList),
    ]);
  }
}
