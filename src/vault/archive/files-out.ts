// The files of the entries and letters of an export: where each lies in it, and how they get there. Each is fetched and opened as it is written,
// never held; one that does not open is named, and stops none of the others.
import { fromBase64Url } from '../../crypto/base64.ts';
import type { Bytes } from '../../crypto/encoding.ts';
import type { Pause } from '../api/patiently.ts';
import { detailsFromJson } from '../entries/details.ts';
import { FileExchanged, FileMissing, openPieces } from '../files/download.ts';
import { type FilesVault, filesOfWhisper, ownFiles } from '../files/file-calls.ts';
import { type FileRef, readFiles } from '../files/file-ref.ts';
import type { ExportedEntry } from '../kinds/entry-kind.ts';
import { everyEntryKind } from '../kinds/entry-kinds.ts';
import { type EntriesFile, entriesOf } from './entries-file.ts';

/** A file of an entry or a letter, and where it is to lie. */
export interface FileOut {
  ref: FileRef;
  path: string;
  /** What its entry is called. */
  of: string;
  /** The number of the whisper that it came with; absent for what is the vault's own. */
  whisper?: string;
}

/** What takes files in: one at a time, each in pieces. */
export interface FilesTaker {
  begin(path: string, size: number): Promise<void>;
  piece(bytes: Bytes): Promise<void>;
  end(): Promise<void>;
  /** What was begun is no part of it after all. */
  drop(): Promise<void>;
}

/** The longest part of a path, in characters: old file systems have room for little more in all of one. */
const WORDS_MAX = 48;
const NAME_MAX = 80;

/** A name that no system mistakes for something else, and that keeps its ending. */
function shortName(name: string): string {
  const ending = /\.[\p{L}\p{N}]{1,8}$/u.exec(name)?.[0] ?? '';
  const start = [...name.slice(0, name.length - ending.length)].slice(0, NAME_MAX).join('');
  return `${start}${ending}`.replace(/[^\p{L}\p{M}\p{N}._() -]/gu, '_').replace(/[. ]+$/, '_');
}

/** The day of an entry and its first words, as a part of a path. */
function folderName(day: string, words: string): string {
  const plain = words
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return [
    day,
    [...plain]
      .slice(0, WORDS_MAX)
      .join('')
      .replace(/^-+|-+$/g, ''),
  ]
    .filter(Boolean)
    .join('-');
}

/** What has files: as much of it as they go by. */
interface WithFiles extends Pick<FileOut, 'of' | 'whisper'> {
  details: ExportedEntry['details'];
  /** ISO 8601. */
  at: string;
}

const withFiles = (entries: EntriesFile): WithFiles[] => [
  ...everyEntryKind.flatMap((kind) =>
    entriesOf(entries, kind).map((entry) => ({
      ...{ of: kind.archive.heading(entry), details: entry.details, at: entry.createdAt },
    })),
  ),
  ...entries.letters.map(({ title, details, createdAt }) => ({ of: title, details, at: createdAt })),
  ...entries.whispers.map(({ title, details, releasedAt, publicId }) => ({
    ...{ of: title, details, at: releasedAt, whisper: publicId },
  })),
];

/** Every file of an export, each with a path of its own: a folder for its entry, in which they are numbered. */
export function filesOut(entries: EntriesFile): FileOut[] {
  const taken = new Set<string>();
  return withFiles(entries).flatMap(({ details, at, ...from }) => {
    const { files } = readFiles(detailsFromJson(details));
    if (files.length === 0) return [];
    const wanted = folderName(at.slice(0, 10), from.of);
    let folder = wanted;
    for (let count = 2; taken.has(folder); count += 1) folder = `${wanted}-${count}`;
    taken.add(folder);
    return files.map((ref, i) => ({ ...from, ref, path: `files/${folder}/${i + 1}-${shortName(ref.name)}` }));
  });
}

/** How many files the entries and letters of an export describe in a way that is not understood here. They do not go along; their descriptions do. */
export const countUndescribed = (entries: EntriesFile): number =>
  withFiles(entries).reduce((sum, { details }) => sum + readFiles(detailsFromJson(details)).notUnderstood, 0);

interface WritingOptions {
  signal: AbortSignal;
  /** Learns how many bytes are there, of files that are whole and of the one that is under way. */
  tell: (done: number) => void;
  pause?: Pause;
}

/** What was written, and what was not. */
export interface WrittenFiles {
  written: FileOut[];
  lost: FileOut[];
}

/**
 * Writes files one after the other.
 * @throws ApiError, TypeError where the server cannot be asked; what `taker` throws; the signal's reason
 */
export async function writeFilesOut(
  files: readonly FileOut[],
  vault: FilesVault,
  taker: FilesTaker,
  options: WritingOptions,
): Promise<WrittenFiles> {
  const found: WrittenFiles = { written: [], lost: [] };
  let before = 0;
  for (const file of files) {
    const isWritten = await writeOne(file, vault, taker, {
      ...options,
      tell: (done) => options.tell(before + done),
    });
    found[isWritten ? 'written' : 'lost'].push(file);
    before += file.ref.bytes;
    options.tell(before);
  }
  return found;
}

async function writeOne(
  { ref, path, whisper }: FileOut,
  vault: FilesVault,
  taker: FilesTaker,
  { signal, tell, pause }: WritingOptions,
): Promise<boolean> {
  const { id, key, root, bytes } = ref;
  const file = { id, bytes, key: fromBase64Url(key), root: fromBase64Url(root) };
  const source = whisper === undefined ? ownFiles(vault) : filesOfWhisper(vault, whisper);
  let begun = false;
  try {
    for await (const piece of openPieces(source, file, {
      signal,
      onProgress: tell,
      ...(pause && { pause }),
    })) {
      // Only now: of what the server does not have nothing is written.
      if (!begun) await taker.begin(path, bytes);
      begun = true;
      await taker.piece(piece);
    }
  } catch (error) {
    if (!(error instanceof FileMissing || error instanceof FileExchanged)) throw error;
    if (begun) await taker.drop();
    return false;
  }
  await taker.end();
  return true;
}
