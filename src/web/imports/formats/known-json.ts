// The one list of applications that export JSON: each is recognised by what it says, whatever its file is called. Pure.
import type { Chat } from '../chats.ts';
import { isObject, type Json, type LeftOutList, type ParsedEntry } from '../imported-entry.ts';
import { isBitwarden, parseBitwarden } from './bitwarden.ts';
import { isCanvas, parseCanvas } from './canvas.ts';
import { isDayOne, parseDayOne } from './day-one.ts';
import { isKeepNote, parseKeepNote } from './google-keep.ts';
import { isJourney, parseJourney } from './journey.ts';
import { isJrnl, parseJrnl } from './jrnl.ts';
import { isPaper, parsePaper } from './paper.ts';
import { isSimplenote, parseSimplenote } from './simplenote.ts';
import { isStandardNotes, parseStandardNotes } from './standard-notes.ts';
import { hasSealedItems, openBackup } from './standard-notes-backup.ts';
import { isTelegram, parseTelegram } from './telegram.ts';

/** What a file holds. */
export interface Found {
  entries?: ParsedEntry[];
  chats?: Chat[];
  /** An archive of Latebra. */
  isArchive?: boolean;
  /** Texts that lie beside it are no copies of what it says. */
  isOneOfMany?: boolean;
}

interface JsonFile {
  path: string;
  leftOut: LeftOutList;
  /** What opens it, if it is a backup that needs that. */
  key: Uint8Array | null;
}

interface JsonFormat {
  is: (json: unknown, path: string) => json is Json;
  parse: (json: Json, file: JsonFile) => Found | Promise<Found>;
}

/** The first that knows it counts. */
const jsonFormats: readonly JsonFormat[] = [
  {
    is: (json, path): json is Json => /\.canvas$/i.test(path) && isCanvas(json),
    parse: (json, { path }) => ({ entries: parseCanvas(json, path), isOneOfMany: true }),
  },
  {
    is: isDayOne,
    parse: (json, { path, leftOut }) => ({ entries: parseDayOne(json, path, leftOut) }),
  },
  { is: isTelegram, parse: (json, { path, leftOut }) => ({ chats: parseTelegram(json, path, leftOut) }) },
  {
    is: isStandardNotes,
    async parse(json, { leftOut, key }) {
      // A decrypted backup may have items that its application could not open; it says no parameters.
      const isEncrypted = hasSealedItems(json) && isObject(json.keyParams);
      const backup = isEncrypted ? await openBackup(json, key) : json;
      return { entries: parseStandardNotes(backup, leftOut) };
    },
  },
  { is: isSimplenote, parse: (json, { leftOut }) => ({ entries: parseSimplenote(json, leftOut) }) },
  { is: isBitwarden, parse: (json, { leftOut }) => ({ entries: parseBitwarden(json, leftOut) }) },
  { is: isJrnl, parse: (json) => ({ entries: parseJrnl(json) }) },
  { is: isJourney, parse: (json, { path, leftOut }) => ({ entries: parseJourney(json, path, leftOut) }) },
  { is: isKeepNote, parse: (json, { path, leftOut }) => ({ entries: parseKeepNote(json, path, leftOut) }) },
  { is: isPaper, parse: (json) => ({ entries: parsePaper(json) }) },
  // The manifest of an archive that Settings has exported.
  {
    is: (json): json is Json =>
      isObject(json) && typeof json.format === 'string' && json.format.startsWith('latebra/'),
    parse: () => ({ isArchive: true }),
  },
];

/** Null for a text that is no JSON, or that of an application that is not known. */
export async function readJson(text: string, file: JsonFile): Promise<Found | null> {
  if (!/^\s*[{[]/.test(text.slice(0, 1000))) return null;
  const json = parsedJson(text);
  const format = jsonFormats.find(({ is }) => is(json, file.path));
  return format ? format.parse(json as Json, file) : null;
}

/** Undefined for what is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
