// Files in a zip and out of it. Heavy: load it lazily. It must never unpack more than it was told to expect, whatever
// a zip declares, nor a path that leads out of the folder somebody unpacks it into.
import { unzipSync, zipSync } from 'fflate';
import type { Bytes } from './encoding.ts';

/** Files by their paths, folders separated by `/`. */
export type Files = Record<string, Uint8Array>;

/** What an archive may hold, unpacked. A zip cannot count further than that number of files. */
export const ARCHIVE_LIMITS = { bytes: 512 * 1024 * 1024, files: 65_534 } as const;
export type ArchiveLimits = { bytes: number; files: number };

/**
 * Why some bytes are no archive of a vault: nothing like one; a zip that cannot be read; files that are not those it
 * was signed with; more than the limits; a format that this version does not know.
 */
export type ArchiveProblem = 'not-an-archive' | 'damaged' | 'altered' | 'too-large' | 'too-new';

/** Carries its reason in `problem`, which a person can be told: none of them depends on a secret. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly problem: ArchiveProblem;
  constructor(problem: ArchiveProblem) {
    super(`This archive cannot be used: ${problem}`);
    this.problem = problem;
  }
}

/** The earliest moment that a zip can express. */
const ZIP_BEGINNING = '1980-01-01T00:00:00Z';
const UTC_TIME = /^(?:19[89]\d|20\d\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * A zip of `files`, compressed at level 6, in the order of their paths; the same files give the same bytes.
 * `modifiedAt`, ISO 8601 in UTC, stands beside each file as it is: a zip knows no time zones.
 * Throws a TypeError for a path or a time that a zip cannot carry, an ArchiveError `too-large` above the limits.
 */
export function zipOf(files: Files, modifiedAt: string = ZIP_BEGINNING): Bytes {
  if (!UTC_TIME.test(modifiedAt)) throw new TypeError('Not a time in UTC');
  const paths = Object.keys(files).sort();
  if (!paths.every(isPath)) throw new TypeError('Not a path for a zip');
  const bytes = Object.values(files).reduce((sum, file) => sum + file.length, 0);
  if (paths.length > ARCHIVE_LIMITS.files || bytes > ARCHIVE_LIMITS.bytes)
    throw new ArchiveError('too-large');
  const sorted = Object.fromEntries(paths.map((path) => [path, files[path] ?? new Uint8Array()]));
  // The library writes local time. A time that names no zone is local everywhere, so the digits stay as they are.
  return new Uint8Array(zipSync(sorted, { level: 6, mtime: modifiedAt.slice(0, 19) }));
}

/**
 * The files of a zip; folders are left out. Throws an ArchiveError: `not-an-archive`, `damaged` or `too-large`.
 * Nothing is compared with the zip's own checksums: whoever calls this knows better ones.
 */
export function unzip(zip: Uint8Array, limits: ArchiveLimits = ARCHIVE_LIMITS): Files {
  if (zip[0] !== 0x50 || zip[1] !== 0x4b) throw new ArchiveError('not-an-archive');
  if (zip.length > limits.bytes) throw new ArchiveError('too-large');
  try {
    assertModest(zip, limits);
    return unzipSync(zip, { filter: ({ name }) => !name.endsWith('/') });
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError('damaged');
  }
}

/** Reads what a zip declares, before any of it is unpacked. Nothing past a declared size is ever kept. */
function assertModest(zip: Uint8Array, limits: ArchiveLimits): void {
  const seen = new Set<string>();
  let packed = 0;
  let unpacked = 0;
  unzipSync(zip, {
    filter({ name, size, originalSize }) {
      if (!isPath(name.endsWith('/') ? name.slice(0, -1) : name) || seen.has(name)) {
        throw new ArchiveError('damaged');
      }
      seen.add(name);
      packed += size;
      unpacked += Math.max(size, originalSize);
      if (unpacked > limits.bytes || seen.size > limits.files) throw new ArchiveError('too-large');
      // A zip whose files overlap is small and takes forever.
      if (packed > zip.length) throw new ArchiveError('damaged');
      return false;
    },
  });
}

/** Whether a path stays inside the folder it is unpacked into, on every system. */
function isPath(path: string): boolean {
  const segments = path.split('/');
  // An object has no room for a file of this name.
  if (path === '__proto__' || /[\p{Cc}\\]/u.test(path) || /^[A-Za-z]:/.test(path)) return false;
  return segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
