// How an entry describes its files in its sealed details (docs/formats.md, "Files of an entry"). Pure. Each description has
// its file's key: whoever passes details on passes on the files. What is not understood is kept as it is, never shown.
import { fromBase64, fromBase64Url } from '../../crypto/base64.ts';
import { FILE_KEY_LENGTH } from '../../crypto/file.ts';
import { isEdtf } from '../../shared/edtf.ts';
import { FILES_OF_ENTRY_MAX } from '../../shared/file-limits.ts';
import { membersOf, withMembers, withoutMembers } from '../entries/details.ts';
import { tidyName, tidyType } from './file-name.ts';

/** The smallest picture of a file, for lists. */
export interface Thumbnail {
  type: 'image/webp' | 'image/jpeg';
  /** Its bytes in base64: THUMBNAIL_BYTES_MAX at most. */
  data: string;
}
export const THUMBNAIL_BYTES_MAX = 4000;

/** One file of an entry. */
export interface FileRef {
  /** Its number, 16 bytes, its key and its root, 32 bytes each, all in base64url. */
  id: string;
  key: string;
  root: string;
  /** As `tidyName` leaves it. */
  name: string;
  /** Its media type without parameters, in lower case: what its owner's device said. Nothing vouches for it. */
  type: string;
  /** Its length, without padding. */
  bytes: number;
  /** Of pictures and films, in pixels as they are shown. Always both. */
  width?: number;
  height?: number;
  /** Of recordings and films: how long they are. */
  seconds?: number;
  thumbnail?: Thumbnail;
  /** When a picture was taken or a recording made, where that was, as its maker's clock said: `2019-05-17T14:30:05`. */
  takenAt?: string;
  /** Of a recording that was made in files of fifteen minutes: 16 bytes in base64url that all of them have, and which it is, from 1. */
  recording?: { id: string; part: number };
}

/** What opened details say of files. */
export interface FilesOfEntry {
  files: readonly FileRef[];
  /** How many descriptions are there that are not understood, are there twice, or are more than an entry has. */
  notUnderstood: number;
}

type Json = Record<string, unknown>;

/** @param details as they were opened; null for none, undefined where they cannot be opened */
export function readFiles(details: string | null | undefined): FilesOfEntry {
  const member = membersOf(details ?? null)?.files;
  return member === undefined ? { files: [], notUnderstood: 0 } : filesIn(member);
}

/** @param list what stands where descriptions of files should */
export function filesIn(list: unknown): FilesOfEntry {
  const { files, others } = partFiles(Array.isArray(list) ? list : [list]);
  return { files, notUnderstood: others.length };
}

/** Why files cannot be written: a later form of details, more files than an entry has, or no room left in the details. */
export type FilesProblem = 'unknown-details' | 'too-many' | 'no-room';

/**
 * Details that describe these files, in this order, in place of those that are understood in `before`. What is not
 * understood stays: members of a file that goes on to be there, and whole descriptions, behind the others.
 * Throws a TypeError for one file twice, and for what would not be read again as a file.
 * @param before as they were opened; null for none
 * @returns details as they are sealed: null where nothing is left to be said
 */
export function writeFiles(
  before: string | null,
  files: readonly FileRef[],
): { ok: true; details: string | null } | { ok: false; problem: FilesProblem } {
  const members = membersOf(before);
  const { files: all = [] } = members ?? {};
  if (members === null || !Array.isArray(all)) return { ok: false, problem: 'unknown-details' };
  if (files.length > FILES_OF_ENTRY_MAX) return { ok: false, problem: 'too-many' };
  if (new Set(files.map(({ id }) => id)).size < files.length) throw new TypeError('One file twice');
  const { others, byId } = partFiles(all);
  const list = [...files.map((file) => asJson(file, byId.get(file.id))), ...others];
  if (list.length === 0) {
    return { ok: true, details: before === null ? null : withoutMembers(before, ['files']) };
  }
  const details = withMembers(before, { files: list });
  return details === null ? { ok: false, problem: 'no-room' } : { ok: true, details };
}

/** Parts a list into what is understood and what is not. */
function partFiles(list: readonly unknown[]) {
  const files: FileRef[] = [];
  const others: unknown[] = [];
  const byId = new Map<string, Json>();
  for (const item of list) {
    const file = fileOf(item);
    if (file === null || byId.has(file.id) || files.length === FILES_OF_ENTRY_MAX) others.push(item);
    else {
      files.push(file);
      byId.set(file.id, item as Json);
    }
  }
  return { files, others, byId };
}

/** What one description says, as far as it is understood; null where the file could not be opened by it. */
function fileOf(item: unknown): FileRef | null {
  if (typeof item !== 'object' || item === null) return null;
  const { id, key, root, name, type, bytes, ...more } = item as Json;
  if (!isBytes(id, ID_LENGTH) || !isBytes(key, FILE_KEY_LENGTH) || !isBytes(root, ROOT_LENGTH)) return null;
  if (typeof name !== 'string' || typeof type !== 'string' || !isCount(bytes)) return null;
  const { width, height, seconds, thumbnail, takenAt, recording } = more;
  return {
    ...{ id, key, root, name: tidyName(name), type: tidyType(type), bytes },
    ...(isPixels(width) && isPixels(height) && { width, height }),
    ...(isSeconds(seconds) && { seconds }),
    ...(isThumbnail(thumbnail) && { thumbnail: { type: thumbnail.type, data: thumbnail.data } }),
    ...(isTime(takenAt) && { takenAt }),
    ...(isRecording(recording) && { recording: { id: recording.id, part: recording.part } }),
  };
}

/**
 * A description as it is sealed, with what is not understood of the one before it.
 * Throws a TypeError for what would not be understood again.
 */
function asJson(file: FileRef, before: Json = {}): Json {
  const known = fileOf(file);
  if (known === null) throw new TypeError('Not the description of a file');
  const understood = fileOf(before) ?? {};
  const others = Object.entries(before).filter(([member]) => !(member in understood));
  return { ...Object.fromEntries(others), ...known };
}

const ID_LENGTH = 16;
const ROOT_LENGTH = 32;
const PIXELS_MAX = 2 ** 24;
const YEAR_SECONDS = 366 * 24 * 60 * 60;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isPixels = (value: unknown): value is number => isCount(value) && value > 0 && value <= PIXELS_MAX;
const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= YEAR_SECONDS;
const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /T\d\d:\d\d:[0-5]\d$/.test(value) && isEdtf(value.slice(0, -3));

function isBytes(value: unknown, length: number): value is string {
  try {
    return typeof value === 'string' && fromBase64Url(value).length === length;
  } catch {
    return false;
  }
}

function isRecording(value: unknown): value is NonNullable<FileRef['recording']> {
  if (typeof value !== 'object' || value === null) return false;
  const { id, part } = value as Json;
  return isBytes(id, ID_LENGTH) && isCount(part) && part > 0;
}

function isThumbnail(value: unknown): value is Thumbnail {
  if (typeof value !== 'object' || value === null) return false;
  const { type, data } = value as Json;
  if ((type !== 'image/webp' && type !== 'image/jpeg') || typeof data !== 'string') return false;
  try {
    const { length } = fromBase64(data);
    return length > 0 && length <= THUMBNAIL_BYTES_MAX;
  } catch {
    return false;
  }
}
