// One entry of a vault's book (docs/formats.md, "Book"): what a write has put and removed, chained to the entry before and
// sealed under a key of its own. It must never read an entry of one number as that of another.
import { decrypt, encrypt } from './aes-gcm.ts';
import { fromBase64, fromBase64Url, toBase64, toBase64Url } from './base64.ts';
import { type Bytes, fromUtf8, lengthPrefixed, utf8 } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { hkdfAesKey } from './hkdf.ts';
import { LABELS } from './labels.ts';
import { assertVaultKey } from './vault-key.ts';

/**
 * How a row may go without another entry: it was declared when the row was put.
 * - `expiry`: at a time, in milliseconds since 1970.
 * - `reading`: by its last reading, which its owner cannot foresee.
 */
export type Ending = { by: 'expiry'; at: number } | { by: 'reading' };

/** A row as the book knows it. */
export interface BookRow {
  /** The row's seal number, 22 characters of base64url. */
  sealId: string;
  /** As in the contexts of its seals; with `DELETED` before it, a row that its owner has deleted and can restore. */
  kind: string;
  /** What is known of the row (book-leaf.ts), 43 characters of base64url. */
  leaf: string;
  ends: readonly Ending[];
  /** The number of the version that has this leaf, where whoever wrote that says so: no row has two of one number. */
  versionNumber?: number | undefined;
}

/** Stands before the kind of a row that can be restored. */
export const DELETED = 'deleted/';

/** A place in a book: the number of an entry, and the hash of its sealed form. */
export interface Pin {
  n: number;
  /** 43 characters of base64url. */
  hash: string;
}

export interface BookEntry {
  /** Counts from 1. */
  n: number;
  /** The hash of the entry before; `NO_ENTRY` in the first one. */
  previous: string;
  put: readonly BookRow[];
  /** Seal numbers. */
  removed: readonly string[];
  /** `rootOf` all rows after this entry. */
  root: string;
  /** What its owner calls the browser that wrote it, such as "Firefox on Linux". */
  device: string;
  /** When, in milliseconds since 1970, by the clock of that browser. */
  at: number;
  /** `put` has every row, so that nothing before has to be read. */
  isCheckpoint: boolean;
  /** The newest entry that a browser had seen, of which its owner has accepted that the server has lost it. */
  abandons: Pin | null;
}

const NUMBER_LENGTH = 16;
const HASH_LENGTH = 32;

/** What stands before the first entry of a book. */
export const NO_ENTRY = toBase64Url(new Uint8Array(HASH_LENGTH));

type WrittenRow = [sealId: string, kind: string, leaf: string, ...([version: number] | string | number)[]];

/** As it stands in JSON: short names, because an entry goes with every write. */
interface Written {
  p: string;
  r: string;
  d: string;
  t: number;
  put?: WrittenRow[];
  del?: string[];
  all?: true;
  lost?: [n: number, hash: string];
}

/** The key that seals entry `n` of a vault's book. Throws a TypeError unless `key` has 32 bytes. */
function entryKey(key: Uint8Array, n: number): Promise<CryptoKey> {
  return hkdfAesKey(assertVaultKey(key), additionalDataOf(n));
}

/** What the key of entry `n` is derived by, and what is bound to it. */
const additionalDataOf = (n: number): Bytes => lengthPrefixed(LABELS.book, String(n));

/**
 * Seals an entry: base64 of a random 12-byte IV, the AES-256-GCM ciphertext of canonical JSON, and the tag. Not padded: how
 * many rows a write has the server knows.
 * Throws a SealError if anything in it has another form.
 */
export async function sealBookEntry(entry: BookEntry, key: Uint8Array): Promise<string> {
  try {
    const text = utf8(JSON.stringify(writtenOf(entry)));
    return toBase64(await encrypt(text, await entryKey(key, entry.n), additionalDataOf(entry.n)));
  } catch {
    throw new SealError();
  }
}

/** Opens entry `n`. Throws an OpenError, which tells nothing, if anything at all is wrong. */
export async function openBookEntry(sealed: string, n: number, key: Uint8Array): Promise<BookEntry> {
  try {
    const plain = await decrypt(fromBase64(sealed), await entryKey(key, n), additionalDataOf(n));
    const text = fromUtf8(plain);
    const entry = readWritten(n, JSON.parse(text) as Written);
    // What this version does not write it does not understand either: nothing in an entry may be passed over.
    if (JSON.stringify(writtenOf(entry)) !== text) throw new OpenError();
    return entry;
  } catch {
    throw new OpenError();
  }
}

/** SHA-256 over a sealed entry's bytes, by which the next entry and every pin know it. Throws a TypeError for no base64. */
export async function hashOfEntry(sealed: string): Promise<string> {
  return sha256(fromBase64(sealed));
}

/**
 * SHA-256 over all rows, made from scratch: their seal numbers in ASCII order, each with its leaf behind it, as they stand in
 * text (65 characters a row).
 */
export async function rootOf(rows: ReadonlyMap<string, Pick<BookRow, 'leaf'>>): Promise<string> {
  const lines = Array.from(rows, ([sealId, { leaf }]) => sealId + leaf);
  return sha256(utf8(lines.sort().join('')));
}

async function sha256(bytes: Bytes): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** Throws a TypeError for what has another form. */
function writtenOf({
  n,
  previous,
  put,
  removed,
  root,
  device,
  at,
  isCheckpoint,
  abandons,
}: BookEntry): Written {
  assertCount(n, 1);
  assertCount(at, 0);
  for (const hash of [previous, root]) assertBytes(hash, HASH_LENGTH);
  for (const sealId of removed) assertBytes(sealId, NUMBER_LENGTH);
  if (abandons) assertBytes(abandons.hash, HASH_LENGTH);
  return {
    p: previous,
    r: root,
    d: device,
    t: at,
    ...(put.length > 0 && { put: put.map(writtenRow) }),
    ...(removed.length > 0 && { del: [...removed] }),
    ...(isCheckpoint && { all: true }),
    ...(abandons && { lost: [assertCount(abandons.n, 1), abandons.hash] }),
  };
}

function writtenRow({ sealId, kind, leaf, ends, versionNumber }: BookRow): WrittenRow {
  assertBytes(sealId, NUMBER_LENGTH);
  assertBytes(leaf, HASH_LENGTH);
  // An expiry is its time; the others are their names.
  const endings = ends.map((end) => (end.by === 'expiry' ? assertCount(end.at, 0) : end.by));
  if (versionNumber === undefined) return [sealId, kind, leaf, ...endings];
  return [sealId, kind, leaf, [assertCount(versionNumber, 1)], ...endings];
}

function readRow([sealId, kind, leaf, ...rest]: WrittenRow): BookRow {
  const versionNumber = rest.find((one) => typeof one === 'object')?.[0];
  const ends = rest.flatMap((one) => (typeof one === 'object' ? [] : readEnding(one)));
  return { sealId, kind, leaf, ends, ...(versionNumber !== undefined && { versionNumber }) };
}

function readWritten(n: number, { p, r, d, t, put = [], del = [], all, lost }: Written): BookEntry {
  return {
    n,
    previous: p,
    root: r,
    device: String(d),
    at: t,
    put: put.map(readRow),
    removed: [...del],
    isCheckpoint: all === true,
    abandons: lost ? { n: lost[0], hash: lost[1] } : null,
  };
}

function readEnding(end: string | number): Ending {
  if (typeof end === 'number') return { by: 'expiry', at: end };
  if (end !== 'reading') throw new OpenError();
  return { by: end };
}

function assertBytes(text: string, length: number): void {
  if (typeof text !== 'string' || fromBase64Url(text).length !== length) throw new TypeError('Not so long');
}

function assertCount(count: number, least: number): number {
  if (!Number.isSafeInteger(count) || count < least) throw new TypeError('No count');
  return count;
}
