// Files out of a zip. Heavy: load it lazily. It must never unpack more than it was told to expect, whatever a zip declares, nor a
// path that leads out of the folder somebody unpacks it into.
import { Inflate } from 'fflate';
import { contentOf, pieceReader, type ZipEntry, zipEntries } from './zip-directory.ts';
import { isPath } from './zip-path.ts';

/** Files by their paths, folders separated by `/`. */
export type Files = Record<string, Uint8Array>;

/** What an archive may hold: of texts, unpacked, in bytes; and of files, those beside the texts included. */
export const ARCHIVE_LIMITS = { bytes: 512 * 1024 * 1024, files: 200_000 } as const;
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

/** How far the unpacking has come: bytes that are unpacked, of those that the zip declares. */
export type TellUnpacked = (done: number, total: number) => void;

/** A file of any size, as it lies in a zip. Whatever it declares is not believed yet. */
export interface PackedFile {
  method: number;
  size: number;
  packed: Blob;
}

interface UnzipOptions {
  limits?: ArchiveLimits;
  tell?: TellUnpacked;
  /** Which files stay packed, whatever their size. */
  isBeside?: (path: string) => boolean;
}

/**
 * The files of a zip; folders are left out. Throws an ArchiveError: `not-an-archive`, `damaged` or `too-large`. A file
 * that unpacks to more than it declares is given up at once: the work is bounded by what is declared, and that by the
 * limits. Nothing is compared with the zip's own checksums: whoever calls this knows better ones.
 */
export async function unzip(
  zip: Blob,
  { limits = ARCHIVE_LIMITS, tell = () => {}, isBeside = () => false }: UnzipOptions = {},
): Promise<{ files: Files; beside: Map<string, PackedFile> }> {
  const read = pieceReader(zip);
  try {
    const start = await read(0, Math.min(2, zip.size));
    if (start[0] !== 0x50 || start[1] !== 0x4b) throw new ArchiveError('not-an-archive');
    const entries = await modestEntries(zip, read, limits, isBeside);
    const texts = entries.filter(({ name }) => !isBeside(name));
    const total = texts.reduce((sum, { size }) => sum + size, 0);
    const files: Files = {};
    let before = 0;
    for (const entry of texts) {
      const packed = await read(await contentOf(zip, read, entry), entry.packed);
      files[entry.name] = unpack(entry, packed, (done) => tell(before + done, total));
      before += entry.size;
    }
    const beside = new Map<string, PackedFile>();
    for (const entry of entries.filter(({ name }) => isBeside(name))) {
      const at = await contentOf(zip, read, entry);
      const { method, size } = entry;
      beside.set(entry.name, { method, size, packed: zip.slice(at, at + entry.packed) });
    }
    return { files, beside };
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError('damaged');
  }
}

/** The files that a zip declares, if they are within the limits. */
async function modestEntries(
  zip: Blob,
  read: ReturnType<typeof pieceReader>,
  limits: ArchiveLimits,
  isBeside: (path: string) => boolean,
): Promise<ZipEntry[]> {
  const seen = new Set<string>();
  const entries: ZipEntry[] = [];
  let packed = 0;
  let unpacked = 0;
  for await (const entry of zipEntries(zip, read)) {
    const { name } = entry;
    const isFolder = name.endsWith('/');
    if (!isPath(isFolder ? name.slice(0, -1) : name) || seen.has(name)) throw new ArchiveError('damaged');
    seen.add(name);
    packed += entry.packed;
    if (!isBeside(name)) unpacked += Math.max(entry.packed, entry.size);
    if (unpacked > limits.bytes || seen.size > limits.files) throw new ArchiveError('too-large');
    // A zip whose files overlap is small and takes forever.
    if (packed > zip.size) throw new ArchiveError('damaged');
    if (!isFolder) entries.push(entry);
  }
  return entries;
}

export const STORED = 0;
export const DEFLATED = 8;
/** Bytes that are unpacked at a time. They become 8 MiB at most, which is how far a false size can be overrun. */
const STEP = 8 * 1024;
/** Steps that may add nothing. Real files have none, and what follows the end of a stream has nothing but. */
const IDLE_MAX = 32;

/** The bytes of one file: exactly as many as it declares, or an error. */
function unpack({ method, size }: ZipEntry, packed: Uint8Array, tell: (done: number) => void): Uint8Array {
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
