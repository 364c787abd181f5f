// Standard Notes: a decrypted backup, which is JSON whatever its file is called. Pure.
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

/** Whether JSON is a backup, decrypted or not. */
export const isStandardNotes = (json: unknown): json is Json =>
  isObject(json) &&
  Array.isArray(json.items) &&
  (json.items.length === 0
    ? typeof json.version === 'string'
    : isObject(json.items[0]) && typeof json.items[0].content_type === 'string');

/**
 * The notes of a backup, with the tags that refer to them.
 * @throws Refused `encrypted-backup` where none of them can be read
 */
export function parseStandardNotes(backup: Json, leftOut: LeftOutList): ParsedEntry[] {
  const items = objectsIn(backup.items);
  const notes = items.filter((item) => item.content_type === 'Note');
  const sealed = notes.filter((note) => typeof note.content === 'string');
  if (items.length > 0 && (notes.length === 0 ? items.every(isSealed) : sealed.length === notes.length))
    throw new Refused('encrypted-backup');
  if (sealed.length > 0) leftOut.add('encrypted', undefined, sealed.length);
  const tags = tagsByNote(items);
  return notes.flatMap((note) =>
    isObject(note.content) ? parseNote(note, note.content, tags, leftOut) : [],
  );
}

const isSealed = (item: Json) => typeof item.content === 'string';

/** Tags refer to their notes, and in later versions a note may refer to its tags. */
function tagsByNote(items: readonly Json[]): Map<string, Set<string>> {
  const titles = new Map<string, string>();
  const byNote = new Map<string, Set<string>>();
  const tell = (note: string, tag: string) => {
    const known = byNote.get(note) ?? new Set();
    if (tag !== '') byNote.set(note, known.add(tag));
  };
  for (const tag of items) {
    if (tag.content_type !== 'Tag' || !isObject(tag.content)) continue;
    const title = textOf(tag.content.title);
    titles.set(textOf(tag.uuid), title);
    for (const { uuid } of objectsIn(tag.content.references)) tell(textOf(uuid), title);
  }
  for (const note of items) {
    if (note.content_type !== 'Note' || !isObject(note.content)) continue;
    for (const { uuid } of objectsIn(note.content.references))
      tell(textOf(note.uuid), titles.get(textOf(uuid)) ?? '');
  }
  return byNote;
}

function parseNote(
  note: Json,
  content: Json,
  tags: ReadonlyMap<string, ReadonlySet<string>>,
  leftOut: LeftOutList,
): ParsedEntry[] {
  const title = textOf(content.title);
  const appData = isObject(content.appData) ? content.appData : {};
  const own = isObject(appData['org.standardnotes.sn']) ? appData['org.standardnotes.sn'] : {};
  if (note.deleted === true || content.trashed === true || own.trashed === true) {
    leftOut.add('trashed', title || 'a note without a title');
    return [];
  }
  const uuid = textOf(note.uuid);
  const moment =
    readMoment(note.created_at) ?? readMoment(own.client_updated_at) ?? readMoment(note.updated_at);
  const states = [own.pinned === true && 'pinned', own.archived === true && 'archived'];
  return [
    {
      format: 'standard-notes',
      title,
      content: content.noteType === 'super' ? superText(content) : textOf(content.text),
      ...momentHere(moment),
      tags: [...(tags.get(uuid) ?? []), ...states.filter((state) => state !== false)],
      sourceId: uuid || null,
    },
  ];
}

/** A “Super” note is a tree of JSON; its words are what is kept. */
function superText(content: Json): string {
  const text = textOf(content.text);
  try {
    const tree: unknown = JSON.parse(text);
    if (isObject(tree) && isObject(tree.root))
      return blockText(tree.root, 0)
        .replace(/\n{3,}/g, '\n\n')
        .trim();
  } catch {
    // An older editor wrote plain text under this type.
  }
  return text;
}

const BLOCKS = new Set(['paragraph', 'heading', 'quote', 'list', 'listitem', 'code', 'table', 'tablerow']);

function blockText(node: Json, depth: number): string {
  if (depth > 100) return '';
  if (node.type === 'linebreak') return '\n';
  const own = textOf(node.text);
  const inside = objectsIn(node.children)
    .map((child) => blockText(child, depth + 1))
    .join('');
  if (node.type === 'listitem') {
    const mark = node.checked === true ? '☑' : node.checked === false ? '☐' : '-';
    return `${mark} ${own}${inside}\n`;
  }
  return BLOCKS.has(textOf(node.type))
    ? `${own}${inside}\n${node.type === 'paragraph' ? '\n' : ''}`
    : own + inside;
}
