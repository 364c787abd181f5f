// What a form does with the files of its entry: those that it adds, which are sent while it stands open, and those that it takes
// away. It is kept with the draft, sealed; the files themselves are not.
import { FILES_OF_ENTRY_MAX } from '../../../shared/file-limits.ts';
import { type FileRef, type FilesProblem, readFiles, writeFiles } from '../../../vault/files/file-ref.ts';
import type { Carried } from '../../../vault/files/pictures/looked-into.ts';
import { FilesNotWritten } from '../../../vault/files/problems.ts';

/** A file that was chosen: what is said of it, and how far it is. */
export interface AddedFile extends Omit<FileRef, 'root'> {
  /** Null until the server had all of it. */
  root: string | null;
  /** Whether the server has all of it. */
  isWhole: boolean;
  /** What it carries besides; absent where that is nothing, or is not known yet. */
  carried?: Carried;
  /** Whether it is sealed without its place and all else that is not the picture; absent before it was looked into. */
  placeRemoved?: boolean;
  /** How long it is as it was chosen, in bytes, where it was looked into. */
  chosenBytes?: number;
}

export interface DraftFiles {
  added: readonly AddedFile[];
  /** The numbers of files of the entry that go once the change is sealed. */
  removed: readonly string[];
}

/** The files of a form, as its field changes them. */
export interface FormFiles {
  value: DraftFiles;
  /** The details of the entry that it changes, which say what it has already; null for none. */
  details: string | null;
  update: (change: (files: DraftFiles) => DraftFiles) => void;
  /** Keeps the draft now. */
  keep: () => Promise<boolean>;
}

export const NO_FILES: DraftFiles = { added: [], removed: [] };

/** Those files of an entry that a form leaves. @param details as they were opened; null for none */
export const filesLeft = (details: string | null | undefined, { removed }: DraftFiles): FileRef[] =>
  readFiles(details).files.filter(({ id }) => !removed.includes(id));

/**
 * What is still to be done to an entry of these details. What it names already was added by a try of which the answer was
 * lost, and what it does not name is gone from it: a form on an older version may say both once more.
 * @param details as they were opened; null for none
 * @returns the same object where all of it is still to be done
 */
export function settled(details: string | null | undefined, files: DraftFiles): DraftFiles {
  const named = new Set(readFiles(details).files.map(({ id }) => id));
  const added = files.added.filter(({ id }) => !named.has(id));
  const removed = files.removed.filter((id) => named.has(id));
  const isAllLeft = added.length === files.added.length && removed.length === files.removed.length;
  return isAllLeft ? files : { added, removed };
}

/** A form of which some of the files it has added stay with an earlier try of it, and belong to that one alone. */
export const withoutStaying = ({ files = NO_FILES }: WithFiles, staying: readonly string[]): DraftFiles => ({
  added: files.added.filter(({ id }) => !staying.includes(id)),
  removed: files.removed,
});

/** Said of details of a later form, or that do not open. */
export const NOT_CHANGED_HERE = 'Its files were written by a newer version, and cannot be changed here.';

const notWritten: Record<FilesProblem, string> = {
  'unknown-details': NOT_CHANGED_HERE,
  'too-many': `An entry has ${FILES_OF_ENTRY_MAX} files at most.`,
  'no-room': 'There is no room for so many files in one entry. Take some of them away.',
};

/** What was added, as it is described where it is sealed. Only once the server has all of it. */
export const refsOf = ({ added }: DraftFiles): FileRef[] => added.map(refOf);

function refOf(added: AddedFile): FileRef {
  const { isWhole: _whole, carried: _carried, placeRemoved: _removed, chosenBytes: _chosen, ...file } = added;
  return { ...file, root: file.root ?? '' };
}

/**
 * Details with the files that a form leaves and adds.
 * @param details what is to be sealed besides; undefined where those that are there stay
 * @param before the details of the entry that it changes; null for a new one, which has only what was added
 * @throws FilesNotWritten
 */
export function withFiles(
  details: string | null | undefined,
  before: string | null,
  files: DraftFiles,
): string | null | undefined {
  if (details === undefined) return undefined;
  const next = [...filesLeft(before, files), ...refsOf(files)];
  // Nothing is said of files, before and after: details that cannot be changed here stay as they are.
  if (next.length === 0 && readFiles(details).files.length === 0) return details;
  const written = writeFiles(details, next);
  if (!written.ok) throw new FilesNotWritten(notWritten[written.problem]);
  return written.details;
}

interface WithFiles {
  files?: DraftFiles;
}

/** A form as it is kept while it is written. */
interface KeptWithFiles<T> {
  value: T;
  update: (change: (kept: T) => T) => void;
  keep: () => Promise<boolean>;
}

/**
 * The files of a form of an entry or a letter, kept with its draft: also while somebody writes, as uploads go on meanwhile.
 * @param details what the entry or the letter says of its files now; null for none
 */
export function formFiles<T extends WithFiles>(
  draft: KeptWithFiles<T>,
  details: string | null,
): FormFiles & { sendAgain: (id: string) => void } {
  const left = ({ files = NO_FILES }: WithFiles) => settled(details, files);
  const update = (change: (files: DraftFiles) => DraftFiles) =>
    draft.update((kept) => ({ ...kept, files: change(left(kept)) }));
  return {
    value: left(draft.value),
    details,
    update,
    keep: draft.keep,
    /** The server has lost a part of it. */
    sendAgain: (id) =>
      update(({ added, removed }) => ({
        added: added.map((file) => (file.id === id ? { ...file, isWhole: false } : file)),
        removed,
      })),
  };
}

/** What a form says now, and of its files what is kept by then. */
export const keepingFiles = <T extends WithFiles>(kept: WithFiles, { files: _, ...form }: T) => ({
  ...form,
  ...(kept.files && { files: kept.files }),
});
