// Files in a zip and out of it. Heavy: load it lazily. It must never unpack more than it was told to expect, whatever
// a zip declares, nor a path that leads out of the folder somebody unpacks it into.
import { Inflate, zipSync } from 'fflate';
import type { Bytes } from './encoding.ts';
import { type ZipEntry, zipEntries } from './zip-directory.ts';

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

/** How far the unpacking has come: bytes that are unpacked, of those that the zip declares. */
export type TellUnpacked = (done: number, total: number) => void;

/**
 * The files of a zip; folders are left out. Throws an ArchiveError: `not-an-archive`, `damaged` or `too-large`. A file
 * that unpacks to more than it declares is given up at once: the work is bounded by what is declared, and that by the
 * limits. Nothing is compared with the zip's own checksums: whoever calls this knows better ones.
 */
export function unzip(
  zip: Uint8Array,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
  tell: TellUnpacked = () => {},
): Files {
  if (zip[0] !== 0x50 || zip[1] !== 0x4b) throw new ArchiveError('not-an-archive');
  if (zip.length > limits.bytes) throw new ArchiveError('too-large');
  try {
    const entries = modestEntries(zip, limits);
    const total = entries.reduce((sum, { size }) => sum + size, 0);
    const files: Files = {};
    let before = 0;
    for (const entry of entries) {
      files[entry.name] = unpack(entry, (done) => tell(before + done, total));
      before += entry.size;
    }
    return files;
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError('damaged');
  }
}

/** The files that a zip declares, if they are within the limits. */
function modestEntries(zip: Uint8Array, limits: ArchiveLimits): ZipEntry[] {
  const seen = new Set<string>();
  const entries: ZipEntry[] = [];
  let packed = 0;
  let unpacked = 0;
  for (const entry of zipEntries(zip)) {
    const { name } = entry;
    const isFolder = name.endsWith('/');
    if (!isPath(isFolder ? name.slice(0, -1) : name) || seen.has(name)) throw new ArchiveError('damaged');
    seen.add(name);
    packed += entry.packed.length;
    unpacked += Math.max(entry.packed.length, entry.size);
    if (unpacked > limits.bytes || seen.size > limits.files) throw new ArchiveError('too-large');
    // A zip whose files overlap is small and takes forever.
    if (packed > zip.length) throw new ArchiveError('damaged');
    if (!isFolder) entries.push(entry);
  }
  return entries;
}

const STORED = 0;
const DEFLATED = 8;
/** Bytes that are unpacked at a time. They become 8 MiB at most, which is how far a false size can be overrun. */
const STEP = 8 * 1024;
/** Steps that may add nothing. Real files have none, and what follows the end of a stream has nothing but. */
const IDLE_MAX = 32;

/** The bytes of one file: exactly as many as it declares, or an error. */
function unpack({ method, size, packed }: ZipEntry, tell: (done: number) => void): Uint8Array {
  if (method === STORED) {
    if (packed.length !== size) throw new ArchiveError('damaged');
    tell(size);
    return packed.slice();
  }
  if (method !== DEFLATED) throw new ArchiveError('damaged');
  const file = new Uint8Array(size);
  let [done, idle] = [0, 0];
  const inflate = new Inflate((bytes) => {
    if (done + bytes.length > size) throw new ArchiveError('damaged');
    file.set(bytes, done);
    done += bytes.length;
    idle = bytes.length > 0 ? 0 : idle + 1;
  });
  for (let at = 0; at < packed.length && idle <= IDLE_MAX; at += STEP) {
    inflate.push(packed.subarray(at, at + STEP), at + STEP >= packed.length);
    tell(done);
  }
  if (done !== size) throw new ArchiveError('damaged');
  return file;
}

/** Whether a path stays inside the folder it is unpacked into, on every system. */
function isPath(path: string): boolean {
  const segments = path.split('/');
  // An object has no room for a file of this name.
  if (path === '__proto__' || /[\p{Cc}\\]/u.test(path) || /^[A-Za-z]:/.test(path)) return false;
  return segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
