// Simplenote: `notes.json` of an export, with its notes and those in the bin. Pure.
import {
  isObject,
  type Json,
  type LeftOutList,
  objectsIn,
  type ParsedEntry,
  textOf,
} from '../imported-entry.ts';
import { momentHere, readMoment } from '../local-times.ts';

export const isSimplenote = (json: unknown): json is Json =>
  isObject(json) && Array.isArray(json.activeNotes) && Array.isArray(json.trashedNotes);

/** The notes that are not in the bin. The first line of a note is its title. */
export function parseSimplenote(backup: Json, leftOut: LeftOutList): ParsedEntry[] {
  for (const note of objectsIn(backup.trashedNotes)) leftOut.add('trashed', splitTitle(note).title);
  return objectsIn(backup.activeNotes).map((note) => {
    const moment = readMoment(note.creationDate) ?? readMoment(note.lastModified);
    const tags = Array.isArray(note.tags) ? note.tags.map(textOf) : [];
    return {
      format: 'simplenote',
      ...splitTitle(note),
      ...momentHere(moment),
      tags: note.pinned === true ? [...tags, 'pinned'] : tags,
      sourceId: textOf(note.id) || null,
    };
  });
}

function splitTitle(note: Json): { title: string; content: string } {
  const text = textOf(note.content).replace(/\r\n?/g, '\n').trim();
  const end = text.indexOf('\n');
  const first = end < 0 ? text : text.slice(0, end);
  const title = first.replace(/^#+\s+/, '').trim();
  return { title, content: end < 0 ? '' : text.slice(end).trim() };
}
