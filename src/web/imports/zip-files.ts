// The files of a zip that may be anything: read one at a time where they lie, never the whole of it. Nothing that it
// declares is believed, and nothing is inflated that nobody asks for.
import {
  BlobReader,
  configure,
  type Entry,
  type FileEntry,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js';
import { FILE_BYTES_MAX } from '../../shared/file-limits.ts';
import { type LeftOutList, Refused } from './imported-entry.ts';

/** What is read of one import, in bytes unless said otherwise. */
export interface ImportLimits {
  /** Of one file that is read. */
  fileBytes: number;
  /** Of all files that are read, unpacked. */
  textBytes: number;
  /** Of all zips within zips, unpacked. */
  nestedBytes: number;
  /** How many files a zip names. */
  files: number;
}

export const IMPORT_LIMITS: ImportLimits = {
  fileBytes: 128 * 1024 * 1024,
  textBytes: 384 * 1024 * 1024,
  nestedBytes: 1024 * 1024 * 1024,
  files: 200_000,
};

/** The longest directory of a zip, and more than any other single reading of its bytes. */
const READING_MAX = 64 * 1024 * 1024;
/** Bytes that are inflated at a time; deflate makes at most a thousand of each. */
const CHUNK = 32 * 1024;

/** How much of the limits is used, by everything that is read for one import. */
export interface Used {
  textBytes: number;
  nestedBytes: number;
}

/** One file in a zip. */
export interface ZipFile {
  path: string;
  /** Declared bytes, unpacked. */
  size: number;
  /** @throws Refused `too-large`, `damaged`, `crafted` or `unsupported` */
  read(): Promise<Uint8Array>;
  /** The same as a blob, for a zip within. @throws as `read` */
  readBlob(): Promise<Blob>;
  /** The same for an entry to have, of whatever size a file of the vault may have. One is opened at a time. @throws as `read` */
  open(): Promise<Blob>;
}

// Its own workers would need other sources than this server's; this is called in one already.
configure({ useWebWorkers: false, useCompressionStream: true, chunkSize: CHUNK });

/** Reads where it is told, but never more at once than a directory can honestly be. */
class CarefulReader extends BlobReader {
  override readUint8Array(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (!(length >= 0 && length <= READING_MAX && offset >= 0)) throw new Refused('crafted');
    return super.readUint8Array(offset, length) as Promise<Uint8Array<ArrayBuffer>>;
  }
}

/**
 * The files that a zip declares, in its order. What cannot be read is left out and counted.
 * @throws Refused when it is no zip, is damaged, split or encrypted as a whole, or made to deceive
 */
export async function openZip(
  zip: Blob,
  leftOut: LeftOutList,
  used: Used,
  limits: ImportLimits = IMPORT_LIMITS,
): Promise<ZipFile[]> {
  try {
    return await directoryOf(zip, leftOut, used, limits);
  } catch (error) {
    throw refusalOf(error);
  }
}

async function directoryOf(
  zip: Blob,
  leftOut: LeftOutList,
  used: Used,
  limits: ImportLimits,
): Promise<ZipFile[]> {
  const reader = new ZipReader(new CarefulReader(zip), {
    // Each name is judged below: one bad name need not take the others with it.
    filenameValidation: 'tolerant',
    checkOverlappingEntry: true,
    checkCrc32: true,
  });
  const files: ZipFile[] = [];
  const seen = new Set<string>();
  let [count, packed, encrypted] = [0, 0, 0];
  for await (const entry of reader.getEntriesGenerator()) {
    count += 1;
    packed += entry.compressedSize;
    if (count > limits.files) throw new Refused('too-large');
    // A zip whose files overlap is small and takes forever.
    if (packed > zip.size) throw new Refused('crafted');
    if (entry.directory) continue;
    if (entry.encrypted) {
      encrypted += 1;
      leftOut.add('encrypted', entry.filename);
    } else if (!isPlainPath(entry.filename) || isLink(entry)) leftOut.add('unsafe-name', entry.filename);
    else if (seen.has(entry.filename)) leftOut.add('damaged', entry.filename);
    else files.push(fileOf(entry, used, limits));
    seen.add(entry.filename);
  }
  if (files.length === 0 && encrypted > 0) throw new Refused('encrypted-zip');
  return files;
}

/** Whether a path stays inside the folder it would be unpacked into, on every system. */
export function isPlainPath(path: string): boolean {
  if (/[\p{Cc}\\]/u.test(path) || /^(?:[A-Za-z]:|\/)/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/** A link to another file, as Unix writes them. */
const isLink = ({ externalFileAttributes }: Entry) => ((externalFileAttributes >>> 16) & 0xf000) === 0xa000;

function fileOf(entry: FileEntry, used: Used, limits: ImportLimits): ZipFile {
  async function inflate(room: number, take: (bytes: Uint8Array) => void): Promise<void> {
    const { uncompressedSize: declared } = entry;
    // What is declared holds, or it is refused below: what has no room is not inflated to find that out.
    if (declared > room) throw new Refused('too-large');
    let size = 0;
    const writable = new WritableStream<Uint8Array>({
      write(bytes) {
        size += bytes.length;
        if (size > declared) throw new Refused('crafted');
        take(bytes);
      },
    });
    try {
      await entry.getData(writable);
    } catch (error) {
      throw problemOfDisk(error) ?? refusalOf(error);
    }
    if (size !== declared) throw new Refused('crafted');
  }
  /** As much as is left of what all files of a kind may have together. */
  const roomFor = (kind: keyof Used, most: number) => Math.min(most, limits[kind] - used[kind]);

  /** Browsers keep large blobs outside of the page's memory. */
  async function inflateBlob(room: number, use: (bytes: number) => void): Promise<Blob> {
    let blob = new Blob([]);
    let parts: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    await inflate(room, (bytes) => {
      use(bytes.length);
      parts.push(new Uint8Array(bytes));
      size += bytes.length;
      if (size < 4 * 1024 * 1024) return;
      blob = new Blob([blob, ...parts]);
      [parts, size] = [[], 0];
    });
    return new Blob([blob, ...parts]);
  }

  return {
    path: entry.filename,
    size: entry.uncompressedSize,
    async read() {
      // Memory is taken for what arrives, not for what is declared.
      const parts: Uint8Array[] = [];
      let size = 0;
      await inflate(roomFor('textBytes', limits.fileBytes), (bytes) => {
        used.textBytes += bytes.length;
        parts.push(bytes.slice());
        size += bytes.length;
      });
      const whole = new Uint8Array(size);
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
    readBlob: () =>
      inflateBlob(roomFor('nestedBytes', limits.nestedBytes), (bytes) => {
        used.nestedBytes += bytes;
      }),
    open: () => inflateBlob(FILE_BYTES_MAX, () => {}),
  };
}

/** What says that the disk cannot be read any more, such as a stick that was pulled out: nothing is wrong with the file then. */
function problemOfDisk(error: unknown): DOMException | null {
  if (error instanceof DOMException) return error;
  return error instanceof Error && error.cause instanceof DOMException ? error.cause : null;
}

/** What the library says in messages, as reasons. Its messages are compared because it has no codes. */
function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const said =
    error instanceof Error
      ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
      : '';
  if (error instanceof Error && error.cause instanceof Refused) return error.cause;
  if (/split zip/i.test(said)) return new Refused('split-zip');
  if (/encrypt/i.test(said)) return new Refused('encrypted-zip');
  if (/overlapping|out of bounds|ambiguous|uncompressed size|multiple end/i.test(said))
    return new Refused('crafted');
  if (/compression method|not supported/i.test(said)) return new Refused('unsupported');
  return new Refused('damaged');
}
