// UpNote: a backup, one JSON on each line, packed with gzip (`.upnx`). Its notes are HTML. Pure.
import {
  collectFiles,
  isObject,
  type Json,
  type LeftOutList,
  type ParsedEntry,
  textOf,
} from '../imported-entry.ts';
import { momentHere, readMoment } from '../local-times.ts';
import { decoded, leftOut as leftOutText } from '../markup/links-and-media.ts';
import { type MarkupElement, parseMarkup } from '../markup/parse-markup.ts';
import { toMarkdown } from '../markup/to-markdown.ts';
import { withoutTitle } from '../titles.ts';

/** Whether a text is an unpacked backup. */
export const isUpNoteBackup = (text: string): boolean => /^version:\d+\n\{"?/.test(text.slice(0, 40));

interface Row {
  type: string;
  data: Json;
}

/**
 * The notes of a backup. Lines that cannot be read are counted.
 * @param path where it lies: pictures lie in a folder beside its own
 */
export function parseUpNoteBackup(path: string, text: string, leftOut: LeftOutList): ParsedEntry[] {
  const rows = text
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
    .flatMap((line) => rowOf(line, leftOut));
  const of = (type: string) => rows.filter((row) => row.type === type).map(({ data }) => data);
  const notebooks = new Map(of('notebooks').map((data) => [textOf(data.id), data]));
  const notebooksOf = new Map<string, string[]>();
  for (const { noteId, notebookId } of of('organizers')) {
    const known = notebooksOf.get(textOf(noteId)) ?? [];
    known.push(...pathOf(textOf(notebookId), notebooks));
    notebooksOf.set(textOf(noteId), known);
  }
  return of('notes').flatMap((note) => {
    const title = textOf(note.title);
    if (note.trashed === true || note.deleted === true) leftOut.add('trashed', title);
    else if (note.isTemplate === true) leftOut.add('other-file', title);
    else {
      const notebooks = notebooksOf.get(textOf(note.id)) ?? [];
      return leftOut.attempt(title, () => [noteOf(path, note, notebooks, leftOut)]);
    }
    return [];
  });
}

function rowOf(line: string, leftOut: LeftOutList): Row[] {
  try {
    const json: unknown = JSON.parse(line);
    if (isObject(json) && isObject(json.data)) return [{ type: textOf(json.type), data: json.data }];
  } catch {
    // Counted below.
  }
  leftOut.add('damaged');
  return [];
}

function pathOf(id: string, notebooks: ReadonlyMap<string, Json>): string[] {
  const names: string[] = [];
  for (let next = notebooks.get(id); next && names.length < 20; next = notebooks.get(textOf(next.parent)))
    names.unshift(textOf(next.title));
  return names.length > 0 ? [names.join('/')] : [];
}

function noteOf(path: string, note: Json, notebooks: readonly string[], leftOut: LeftOutList): ParsedEntry {
  const title = textOf(note.title).trim();
  const tags: string[] = [];
  const { files, onMedia } = collectFiles(leftOut, path);
  const words = toMarkdown(parseMarkup(textOf(note.html) || textOf(note.text)), {
    onMedia,
    special: (element) => {
      const { name, attributes } = element;
      const file = ownFileOf(element);
      if (file !== null) {
        const kind = name === 'img' ? 'Image' : 'Document';
        return leftOutText(kind, file, () => onMedia(file, `../files/${encodeURIComponent(file)}`));
      }
      const tag =
        name === 'a' && /^upnote:\/\/x-callback-url\/tag\/view\?tag=([^&]+)/.exec(attributes.href ?? '')?.[1];
      if (tag) tags.push(decoded(tag.replace(/%(?![0-9a-f]{2})/gi, '%25')).replace(/^#/, ''));
      return undefined;
    },
  });
  const states = ['pinned', 'bookmarked'].filter((state) => note[state] === true);
  return {
    format: 'upnote',
    title,
    // A note is called by its first line.
    content: withoutTitle(words, title),
    ...momentHere(momentOf(note.createdAt)),
    tags: [...tags, ...notebooks, ...states],
    sourceId: textOf(note.id) || null,
    ...(files.length > 0 && { files }),
  };
}

/** The application shows what is attached to a note through a server of its own on the same machine. */
const OWN_FILE = /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?\/(?:[^?#]*\/)?([^/?#]+)(?:[?#]|$)/i;

/** The name of a picture or an attached file, as it lies in the folder of files; null for every other element. */
function ownFileOf({ name, attributes }: MarkupElement): string | null {
  const address = name === 'img' ? attributes.src : name === 'a' ? attributes.href : undefined;
  const file = OWN_FILE.exec(address ?? '')?.[1];
  return file === undefined ? null : decoded(file);
}

const momentOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : readMoment(value);
