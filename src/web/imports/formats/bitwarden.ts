// Bitwarden: the secure notes of an export. Passwords, cards and identities stay where they are. Pure.
import {
  isObject,
  type Json,
  type LeftOutList,
  objectsIn,
  type ParsedEntry,
  Refused,
  textOf,
} from '../imported-entry.ts';
import { momentHere, readMoment } from '../local-times.ts';

/** Whether JSON is an export, encrypted or not. */
export const isBitwarden = (json: unknown): json is Json =>
  isObject(json) &&
  typeof json.encrypted === 'boolean' &&
  (json.encrypted
    ? typeof json.data === 'string' || 'encKeyValidation_DO_NOT_EDIT' in json
    : Array.isArray(json.items) && (Array.isArray(json.folders) || Array.isArray(json.collections)));

const SECURE_NOTE = 2;

/**
 * One entry for each secure note. Its folder or collections are its tags, and its own fields stand below its text.
 * @throws Refused `encrypted-export` where the export is encrypted
 */
export function parseBitwarden(json: Json, leftOut: LeftOutList): ParsedEntry[] {
  if (json.encrypted === true) throw new Refused('encrypted-export');
  const names = new Map(
    [...objectsIn(json.folders), ...objectsIn(json.collections)].map(({ id, name }) => [id, textOf(name)]),
  );
  const items = objectsIn(json.items);
  const notes = items.filter(({ type }) => type === SECURE_NOTE);
  for (const { name, type } of items) if (type !== SECURE_NOTE) leftOut.add('credential', textOf(name));
  return notes.map((note) => {
    const moment = readMoment(note.creationDate) ?? readMoment(note.revisionDate);
    const places = [note.folderId, ...(Array.isArray(note.collectionIds) ? note.collectionIds : [])];
    const tags = places.flatMap((place) => names.get(place) || []);
    const fields = objectsIn(note.fields).map(({ name, value }) => `- ${textOf(name)}: ${textOf(value)}`);
    return {
      format: 'bitwarden',
      title: textOf(note.name),
      content: [textOf(note.notes), fields.join('\n')].filter(Boolean).join('\n\n'),
      ...momentHere(moment),
      tags: note.favorite === true ? [...tags, 'favorite'] : tags,
      sourceId: textOf(note.id) || null,
    };
  });
}
