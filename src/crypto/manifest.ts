// The manifest of an export: which files there are, what each is, and whose (docs/formats.md, "Archive"). Heavy: load
// it lazily. It must never be believed before its signature was verified.
import { fromBase64, toBase64, toHex } from './base64.ts';
import type { Pin } from './book-entry.ts';
import { type Bytes, fromUtf8, utf8 } from './encoding.ts';
import { deriveIdentity, verifySignature } from './identity.ts';
import { ArchiveError, type Files } from './zip.ts';

const FORMAT = 'latebra/export';
const CONTEXT = 'latebra/v1/export';

export const MANIFEST = 'manifest.json';
export const SIGNATURE = 'manifest.sig';

/** What an export says of itself. */
export type ArchiveMeta = {
  /** When it was made, ISO 8601 in UTC. */
  createdAt: string;
  /** The origin of the server it comes from. */
  origin: string;
  /** The last entry of the vault's book that the browser had followed; absent where there was none. */
  book?: Pin;
};

export type Manifest = ArchiveMeta & {
  format: typeof FORMAT;
  v: 1;
  /** The public keys of the vault that signed. */
  recipient: string;
  verifyingKey: string;
  /** Every other file, in the order of the paths, with its size in bytes and its SHA-256 in hex. */
  files: { path: string; size: number; sha256: string }[];
};

/** ML-DSA-44 by the vault key `key` over the manifest's bytes, context `latebra/v1/export`. */
export async function signManifest(key: Uint8Array, manifest: Uint8Array): Promise<Bytes> {
  return (await deriveIdentity(key)).sign(CONTEXT, manifest);
}

/** Whether `signature` is `verifyingKey`'s over these bytes. Malformed input is `false`, never an error. */
export function verifyManifest(verifyingKey: string, manifest: Uint8Array, signature: Uint8Array): boolean {
  return verifySignature(verifyingKey, CONTEXT, manifest, signature);
}

/** Size and SHA-256 of one file, as a manifest lists it. */
export type FileSum = Manifest['files'][number];

/** The two files that a vault adds to an export. @param sums of all its other files, in whatever order */
export async function manifestFiles(
  sums: readonly FileSum[],
  key: Uint8Array,
  meta: ArchiveMeta,
): Promise<Record<typeof MANIFEST | typeof SIGNATURE, Bytes>> {
  const { recipient, verifyingKey } = await deriveIdentity(key);
  const { createdAt, origin, book } = meta;
  const manifest: Manifest = {
    format: FORMAT,
    v: 1,
    createdAt,
    origin,
    ...(book && { book: { n: book.n, hash: book.hash } }),
    recipient,
    verifyingKey,
    files: [...sums].sort((one, other) => (one.path < other.path ? -1 : 1)),
  };
  const bytes = utf8(`${JSON.stringify(manifest, null, 2)}\n`);
  const signature = await signManifest(key, bytes);
  return { [MANIFEST]: bytes, [SIGNATURE]: utf8(`${toBase64(signature)}\n`) };
}

/**
 * The manifest among `files`, once its signature and every sum agree with them.
 * Throws an ArchiveError: `not-an-archive`, `too-new` or `altered`.
 * @param beside files that stay packed, by their paths: their sizes must agree, and their sums when they are opened
 */
export async function checkedManifest(
  files: Files,
  beside: ReadonlyMap<string, { size: number }> = new Map(),
): Promise<Manifest> {
  const { [MANIFEST]: bytes, [SIGNATURE]: signature, ...others } = files;
  if (!bytes) throw new ArchiveError('not-an-archive');
  const manifest = parse(bytes);
  if (!signature || !verifyManifest(manifest.verifyingKey, bytes, bytesOf(signature))) {
    throw new ArchiveError('altered');
  }
  // The order of the members is the writer's, so each file is compared by what it is.
  const listed = new Map(manifest.files.map((file) => [file.path, file]));
  const present = await Promise.all(Object.entries(others).map(([path, file]) => sumOf(path, file)));
  const agree =
    present.every(({ path, size, sha256 }) => {
      const file = listed.get(path);
      return file?.size === size && file.sha256 === sha256;
    }) && [...beside].every(([path, { size }]) => listed.get(path)?.size === size);
  const count = present.length + beside.size;
  if (!agree || count !== manifest.files.length || listed.size !== count) {
    throw new ArchiveError('altered');
  }
  return manifest;
}

/** What a manifest says of a file. */
export async function sumOf(path: string, bytes: Uint8Array): Promise<FileSum> {
  const file = new Uint8Array(bytes);
  const digest = await crypto.subtle.digest('SHA-256', file);
  return { path, size: file.length, sha256: toHex(new Uint8Array(digest)) };
}

function bytesOf(signature: Uint8Array): Bytes {
  try {
    return fromBase64(fromUtf8(signature).trimEnd());
  } catch {
    throw new ArchiveError('altered');
  }
}

function parse(bytes: Uint8Array): Manifest {
  const manifest = jsonOf(bytes);
  if (manifest?.format !== FORMAT) throw new ArchiveError('not-an-archive');
  if (manifest.v !== 1) throw new ArchiveError('too-new');
  const { createdAt, origin, book, recipient, verifyingKey, files } = manifest;
  const texts = [createdAt, origin, recipient, verifyingKey].every((text) => typeof text === 'string');
  if (!texts || !Array.isArray(files) || !files.every((file) => typeof file?.path === 'string')) {
    throw new ArchiveError('altered');
  }
  if (book !== undefined && !isPin(book)) throw new ArchiveError('altered');
  return manifest as Manifest;
}

const PIN_HASH = /^[A-Za-z0-9_-]{43}$/;

function isPin(value: unknown): value is Pin {
  const { n, hash } = (value ?? {}) as Partial<Record<keyof Pin, unknown>>;
  return Number.isSafeInteger(n) && Number(n) > 0 && typeof hash === 'string' && PIN_HASH.test(hash);
}

/** The members of a JSON object, whatever they are; null if it is none. */
function jsonOf(bytes: Uint8Array): Partial<Record<keyof Manifest, unknown>> | null {
  try {
    const value: unknown = JSON.parse(fromUtf8(bytes));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
