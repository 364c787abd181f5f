// Joplin: a file for each note, notebook, tag and attachment, with its properties below its text, in a tar (JEX) or a
// folder (RAW) (https://joplinapp.org/help/apps/import_export). Pure.
import type { LeftOutList, NamedFile, ParsedEntry } from '../imported-entry.ts';
import { momentHere, readMoment, universal } from '../local-times.ts';
import { kindOfType, leftOut as leftOutText } from '../markup/links-and-media.ts';
import { parseMarkup } from '../markup/parse-markup.ts';
import { toMarkdown } from '../markup/to-markdown.ts';
import { type Property, withProperties } from '../properties.ts';

/** One file of an export. */
export interface JoplinItem {
  title: string;
  body: string;
  properties: Readonly<Record<string, string>>;
}

/** Whether a file is called like an item: by its number. */
export const isJoplinName = (path: string): boolean => /(^|\/)[0-9a-f]{32}\.md$/.test(path);

/** The number of an attachment, by the name of its file. */
export const joplinResourceId = (path: string): string | null =>
  /(?:^|\/)resources\/([0-9a-f]{32})(?:\.[^/]*)?$/.exec(path)?.[1] ?? null;

/** An item; null for a text that is none. */
export function readJoplinItem(text: string): JoplinItem | null {
  const lines = text.trimEnd().split('\n');
  const properties: Record<string, string> = {};
  let at = lines.length - 1;
  for (; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') break;
    const match = /^([a-z_]+):(?: (.*))?$/.exec(line);
    if (!match?.[1]) return null;
    properties[match[1]] = (match[2] ?? '').trim();
  }
  if (!/^\d+$/.test(properties.type_ ?? '') || !/^[0-9a-f]{32}$/.test(properties.id ?? '')) return null;
  const [title = '', , ...body] = lines.slice(0, Math.max(0, at));
  return { title, body: body.join('\n'), properties };
}

const NOTE = '1';
const NOTEBOOK = '2';
const RESOURCE = '4';
const TAG = '5';
const NOTE_TAG = '6';

/** The notes among all items of one export. */
export function parseJoplin(items: readonly JoplinItem[], leftOut: LeftOutList): ParsedEntry[] {
  const of = (type: string) => items.filter(({ properties }) => properties.type_ === type);
  const byId = (type: string) => new Map(of(type).map((item) => [item.properties.id ?? '', item]));
  const [notebooks, resources, tags] = [byId(NOTEBOOK), byId(RESOURCE), byId(TAG)];
  const known = new Set([NOTE, NOTEBOOK, RESOURCE, TAG, NOTE_TAG]);
  for (const { properties } of items)
    if (!known.has(properties.type_ ?? '')) leftOut.add('other-file', `${properties.id}.md`);
  const tagsOf = new Map<string, string[]>();
  for (const { properties } of of(NOTE_TAG)) {
    const tag = tags.get(properties.tag_id ?? '')?.title;
    const note = properties.note_id ?? '';
    const known = tagsOf.get(note) ?? [];
    if (tag) known.push(tag);
    tagsOf.set(note, known);
  }
  const named = new Set<string>();
  const notes = of(NOTE).flatMap((note) => {
    const { properties, title } = note;
    if (properties.encryption_applied === '1') leftOut.add('encrypted', title || `${properties.id}.md`);
    else if (Number(properties.deleted_time ?? 0) > 0) leftOut.add('trashed', title);
    else
      return leftOut.attempt(title || `${properties.id}.md`, () => [
        noteOf(note, resources, leftOut, [
          ...(tagsOf.get(properties.id ?? '') ?? []),
          ...notebookOf(properties.parent_id ?? '', notebooks),
          ...(properties.is_conflict === '1' ? ['conflict'] : []),
        ]),
      ]);
    return [];
  });
  for (const { files = [] } of notes) for (const { sought } of files) named.add(sought[0] ?? '');
  for (const file of of(RESOURCE).map(fileOf)) if (!named.has(file.sought[0] ?? '')) leftOut.addNamed(file);
  return notes;
}

function noteOf(
  { title, body, properties }: JoplinItem,
  resources: ReadonlyMap<string, JoplinItem>,
  leftOut: LeftOutList,
  tags: string[],
): ParsedEntry {
  const html = properties.markup_language === '2';
  const markdown = html
    ? toMarkdown(parseMarkup(body), {
        special: ({ name, attributes, children }, walk) => {
          const id = /^:\/([0-9a-f]{32})/.exec(attributes.src ?? attributes.href ?? '')?.[1];
          const resource = resources.get(id ?? '');
          if (!resource || (name !== 'img' && name !== 'a')) return undefined;
          const words = name === 'a' ? walk.inline(children) : '';
          return isNameOf(resource, words) ? namedResource(resource) : `${words} ${namedResource(resource)}`;
        },
        onMedia: (name) => leftOut.add('media', name),
      })
    : nameResources(body, resources);
  const named = [...body.matchAll(/:\/([0-9a-f]{32})/g)].flatMap(([, id = '']) => resources.get(id) ?? []);
  const files = [...new Set(named)].map(fileOf);
  for (const file of files) leftOut.addNamed(file);
  const created = readMoment(properties.user_created_time) ?? readMoment(properties.created_time);
  return {
    format: 'joplin',
    title,
    content: withProperties(markdown, propertiesOf(properties)),
    ...momentHere(created),
    tags,
    sourceId: properties.id ?? null,
    ...(files.length > 0 && { files }),
  };
}

/** The file of an attachment: it is called by its number. */
function fileOf({ title, properties }: JoplinItem): NamedFile {
  const { id = '', filename = '', file_extension: ending = '' } = properties;
  const stored =
    ending || (/\.(\w{1,10})$/.exec(filename || title)?.[1] ?? '') || endingOf(properties.mime ?? '');
  const name = title || filename || 'file';
  return { name, sought: [`resources/${id}.${stored}`, `resources/${id}`], from: '' };
}

const endingOf = (mime: string) => (mime === 'image/jpeg' ? 'jpg' : (mime.split('/')[1] ?? ''));

const namedResource = ({ title, properties }: JoplinItem) =>
  leftOutText(kindOfType(properties.mime ?? ''), title || (properties.filename ?? ''), () => {});

/** Whether the words of a link say no more than the name of the attachment that it leads to. */
const isNameOf = (resource: JoplinItem, words: string) =>
  ['', resource.title, resource.properties.filename, namedResource(resource)].includes(words.trim());

/** What may begin or end a link, one that leads to an item of Joplin with its number; and the end of a paragraph. */
const LINK_PARTS =
  /\\[\s\S]|!?\[|\](?:\(:\/([0-9a-f]{32})(?:#[^)\s]{0,1000})?(?:\s{1,9}"[^"]{0,1000}")?\))?|\n\n/g;

/**
 * `![bees](:/0123…)` leads nowhere outside of Joplin; so do links to other notes, which keep their words. Read in one
 * pass, however many brackets there are.
 */
function nameResources(body: string, resources: ReadonlyMap<string, JoplinItem>): string {
  const pieces: string[] = [];
  let open: { piece: number; at: number; mark: string }[] = [];
  let before = 0;
  for (const { 0: part, 1: id, index } of body.matchAll(LINK_PARTS)) {
    pieces.push(body.slice(before, index));
    before = index + part.length;
    if (part === '\n\n') open = [];
    if (part.endsWith('[') && !part.startsWith('\\'))
      open.push({ piece: pieces.length, at: before, mark: part });
    const link = part.startsWith(']') ? open.pop() : undefined;
    if (!link || id === undefined) {
      pieces.push(part);
      continue;
    }
    const resource = resources.get(id);
    // A name has no more pieces than that.
    const words = pieces.slice(link.piece + 1, link.piece + 9).join('');
    if (link.mark === '[' && !(resource && isNameOf(resource, words))) {
      pieces[link.piece] = '';
      if (resource) pieces.push(` ${namedResource(resource)}`);
      continue;
    }
    pieces.length = link.piece;
    pieces.push(
      resource ? namedResource(resource) : leftOutText('Image', body.slice(link.at, index), () => {}),
    );
  }
  pieces.push(body.slice(before));
  return pieces.join('').replace(/<img\b[^<>]*>/gi, (tag) => {
    const resource = resources.get(/\bsrc=["']:\/([0-9a-f]{32})["']/i.exec(tag)?.[1] ?? '');
    return resource ? namedResource(resource) : tag;
  });
}

/** A notebook by its path; a circle of them ends. */
function notebookOf(id: string, notebooks: ReadonlyMap<string, JoplinItem>): string[] {
  const names: string[] = [];
  for (
    let next = notebooks.get(id);
    next && names.length < 20;
    next = notebooks.get(next.properties.parent_id ?? '')
  )
    names.unshift(next.title);
  return names.length > 0 ? [names.join('/')] : [];
}

/** What has no place of its own. */
function propertiesOf(properties: Readonly<Record<string, string>>): Property[] {
  const of = (name: string) => properties[name] ?? '';
  const zero = (name: string) => !(Math.abs(Number(of(name) || 0)) > 0);
  const done = instantOf(of('todo_completed'));
  return [
    { name: 'To do', value: of('is_todo') !== '1' ? '' : done ? `done ${done}` : 'open' },
    { name: 'Due', value: of('is_todo') === '1' ? instantOf(of('todo_due')) : '' },
    {
      name: 'Place',
      value: zero('latitude') && zero('longitude') ? '' : `${of('latitude')}, ${of('longitude')}`,
    },
    { name: 'Author', value: of('author') },
    { name: 'Source', value: of('source_url') },
  ];
}

/** Milliseconds or ISO 8601, as a moment that is the same wherever it is read. */
function instantOf(text: string): string {
  const moment = /^\d+$/.test(text) ? Number(text) : (readMoment(text) ?? 0);
  return moment > 0 && moment < 8.64e15 ? universal(moment) : '';
}
