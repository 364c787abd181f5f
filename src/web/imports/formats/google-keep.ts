// Google Keep: one JSON for each note, as Takeout writes them. Pure.
import {
  isObject,
  type Json,
  type LeftOutList,
  objectsIn,
  type ParsedEntry,
  textOf,
} from '../imported-entry.ts';
import { momentHere } from '../local-times.ts';

/** Whether JSON is a note: it has the time of its last edit in microseconds, and words or a list. */
export const isKeepNote = (json: unknown): json is Json =>
  isObject(json) &&
  (microseconds(json.userEditedTimestampUsec) !== null || microseconds(json.createdTimestampUsec) !== null) &&
  (typeof json.isTrashed === 'boolean' || typeof json.title === 'string') &&
  ['textContent', 'listContent', 'title', 'attachments', 'annotations'].some(
    (member) => json[member] !== undefined,
  );

/** The note, or nothing where it lies in the bin. @param name of its file, for what is left out */
export function parseKeepNote(note: Json, name: string, leftOut: LeftOutList): ParsedEntry[] {
  if (note.isTrashed === true) {
    leftOut.add('trashed', textOf(note.title) || name);
    return [];
  }
  const files = objectsIn(note.attachments).map(({ filePath }) => ({
    name: textOf(filePath) || name,
    sought: soughtOf(textOf(filePath)),
    from: name,
  }));
  for (const file of files) leftOut.addNamed(file);
  const created = microseconds(note.createdTimestampUsec);
  const at = created ?? microseconds(note.userEditedTimestampUsec);
  const text = textOf(note.textContent).trim();
  const labels = objectsIn(note.labels).map((label) => textOf(label.name));
  const states = [note.isPinned === true && 'pinned', note.isArchived === true && 'archived'];
  return [
    {
      format: 'google-keep',
      title: textOf(note.title),
      content: [text, listOf(note), linksOf(note, text)].filter(Boolean).join('\n\n'),
      ...momentHere(at === null ? null : at / 1000),
      tags: [...labels, ...states.filter((state) => state !== false)].filter(Boolean),
      sourceId: created === null ? null : String(created),
      ...(files.length > 0 && { files }),
    },
  ];
}

/** Takeout names a picture `.jpeg` in its note and `.jpg` in the zip. */
function soughtOf(path: string): string[] {
  if (path === '') return [];
  return /\.jpeg$/i.test(path) ? [path, path.replace(/\.jpeg$/i, '.jpg')] : [path];
}

/** Microseconds, which later exports write as a number and others as a string. */
function microseconds(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,17}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null;
}

const listOf = (note: Json) =>
  objectsIn(note.listContent)
    .map((item) => `${item.isChecked === true ? '☑' : '☐'} ${textOf(item.text)}`)
    .join('\n');

/** How many links are looked for in the text. */
const LINKS_SOUGHT = 100;

/** The pages that a note links to, where its text does not say them anyway. */
const linksOf = (note: Json, text: string) =>
  objectsIn(note.annotations)
    .map((link) => ({ url: textOf(link.url), title: textOf(link.title) }))
    .filter(({ url }, at) => url !== '' && (at >= LINKS_SOUGHT || !text.includes(url)))
    .map(({ url, title }) => (title === '' ? url : `${title}: ${url}`))
    .join('\n');
