// Files that somebody has chosen: each by itself, and every folder as one.

import type { SourceFile } from './findings.ts';
import type { ForeignKind } from './foreign-files.ts';
import { LeftOutList, Locked, type RefusalReason, Refused } from './imported-entry.ts';
import { type NamedBlob, Reading } from './reading.ts';
import { IMPORT_LIMITS, type ImportLimits, type Used } from './zip-files.ts';

export type { NamedBlob } from './reading.ts';

export interface Findings {
  sources: SourceFile[];
  leftOut: LeftOutList;
  refused: RefusedFile[];
  /** Which of the files are archives of Latebra, by their places: Settings imports those. */
  archives: number[];
  /** Backups that wait for their passphrase. */
  locked: LockedFile[];
}

/** A file that cannot be imported, and what it seems to be where that is known. */
export interface RefusedFile {
  name: string;
  reason: RefusalReason;
  seems?: ForeignKind;
}

/** A backup that is sealed under the passphrase of its application. */
export interface LockedFile {
  name: string;
  /** What the passphrase is stretched with. */
  salt: Uint8Array;
  /** Whether one was given that does not open it. */
  wrong: boolean;
}

/** Keys that passphrases gave, by the names of the files that they open. */
export type FileKeys = ReadonlyMap<string, Uint8Array>;

/** How far the reading has come, in bytes of the chosen files. */
export type TellRead = (name: string, done: number, total: number) => void;

interface ReadOptions {
  tell?: TellRead;
  limits?: ImportLimits;
  keys?: FileKeys | undefined;
}

/** Reads every file, and every folder as one; those that cannot be imported are refused one by one. */
export async function readFiles(
  files: readonly NamedBlob[],
  { tell = () => {}, limits = IMPORT_LIMITS, keys = new Map() }: ReadOptions = {},
): Promise<Findings> {
  const findings: Findings = {
    sources: [],
    leftOut: new LeftOutList(),
    refused: [],
    archives: [],
    locked: [],
  };
  const used: Used = { textBytes: 0, nestedBytes: 0 };
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  for (const { name, parts } of foldersOf(files)) {
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    tell(name, before, total);
    // What is left out of a refused file is not told: all of it is.
    const leftOut = new LeftOutList();
    const reading = new Reading({ leftOut, used, limits, key: keys.get(name) ?? null }, (share) =>
      tell(name, before + share * size, total),
    );
    try {
      const [file] = parts;
      const found = isFolder(parts) || !file ? await reading.folder(name, parts) : await reading.file(file);
      if (found !== 'archive') findings.sources.push(found);
      else if (file) findings.archives.push(files.indexOf(file));
      findings.leftOut.addAll(leftOut.toArray());
    } catch (error) {
      if (error instanceof Locked) findings.locked.push({ name, salt: error.salt, wrong: error.wrong });
      else if (error instanceof Refused)
        findings.refused.push({ name, reason: error.reason, ...(error.seems && { seems: error.seems }) });
      else findings.refused.push({ name, reason: 'failed' });
    }
    before += size;
  }
  tell('', total, total);
  return findings;
}

const isFolder = ([first]: readonly NamedBlob[]) => first?.name.includes('/') === true;

/** Each file by itself, and the files of each chosen folder together, in their order. */
function foldersOf(files: readonly NamedBlob[]): { name: string; parts: NamedBlob[] }[] {
  const all: { name: string; parts: NamedBlob[] }[] = [];
  const folders = new Map<string, NamedBlob[]>();
  for (const file of files) {
    const [top = ''] = file.name.split('/');
    const known = folders.get(top);
    if (known) known.push(file);
    else {
      const parts = [file];
      if (isFolder(parts)) folders.set(top, parts);
      all.push({ name: top, parts });
    }
  }
  return all;
}
