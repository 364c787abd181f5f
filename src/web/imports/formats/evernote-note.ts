// One note of Evernote: its page of ENML as Markdown, its attachments named where they stood, its properties below. Pure.
import { endingFor } from '../../../vault/files/media-type.ts';
import { placesOf } from '../files-named.ts';
import type { LeftOutList, NamedFile, ParsedEntry, Standing } from '../imported-entry.ts';
import { momentHere, universal } from '../local-times.ts';
import { kindOfType, leftOut as leftOutText } from '../markup/links-and-media.ts';
import type { MarkdownRules } from '../markup/markdown-rules.ts';
import { firstIn, type MarkupElement, parseMarkup } from '../markup/parse-markup.ts';
import { codeBlock, codeText, toMarkdown } from '../markup/to-markdown.ts';
import { type Property, withProperties } from '../properties.ts';

export interface EvernoteResource {
  name: string;
  /** Its MIME type. */
  type: string;
  /** MD5 of its bytes, in hexadecimal. */
  hash: string;
  /** Where its bytes are found; null where there are none. */
  path: string | null;
}

export interface EvernoteNote {
  fields: Record<string, string>;
  tags: string[];
  /** A document of ENML. */
  content: string;
  resources: EvernoteResource[];
  tasks: Record<string, string>[];
}

export function parseNote(note: EvernoteNote, leftOut: LeftOutList): ParsedEntry[] {
  const { fields, tags, resources, tasks } = note;
  const title = fields.title ?? '';
  for (const resource of resources) leftOut.add('media', nameOf(resource));
  const placed = new Set<EvernoteResource>();
  const numbers = new Map(resources.map((resource, at) => [resource, at]));
  const marked = (resource: EvernoteResource) => markOf(numbers.get(resource) ?? -1);
  const byHash = new Map(resources.toReversed().map((resource) => [resource.hash, resource]));
  const groups = tasksByGroup(tasks);
  const page = parseMarkup(note.content, { selfClosing: true });
  const body = toMarkdown(firstIn(page, ({ name }) => name === 'en-note') ?? page, {
    special: (element, walk) => {
      if (element.name === 'en-todo') return element.attributes.checked === 'true' ? '[x] ' : '[ ] ';
      if (element.name === 'en-media') return mediaOf(element, byHash, placed, marked);
      if (element.name === 'en-crypt') {
        leftOut.add('encrypted', title || 'Untitled');
        return '[Encrypted text left out]';
      }
      const style = (element.attributes.style ?? '').replace(/\s+/g, '');
      if (/(^|;)-{1,2}en-codeblock:true/.test(style))
        return {
          text: codeBlock(codeText(element), /--en-syntaxLanguage:([\w+#-]+)/.exec(style)?.[1] ?? ''),
        };
      const group = /--en-task-group:true/.test(style) && /--en-id:([\w-]+)/.exec(style)?.[1];
      if (!group) return undefined;
      const own = groups.get(group) ?? [];
      // A group that stands in a note twice is told once.
      groups.delete(group);
      return { text: [tasksText(own), walk.blocks(element.children)].filter(Boolean).join('\n'), list: true };
    },
    // Whatever else a page shows lies on the web.
    onMedia: (name) => leftOut.add('media', name),
  } satisfies MarkdownRules);
  const others = resources.filter((resource) => !placed.has(resource));
  const content = [
    body,
    tasksText([...groups.values()].flat()),
    others.map((resource) => standing(resource, resource.type, marked)).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
  const { text, places } = withoutMarks(withProperties(content, propertiesOf(fields)), resources);
  const created = momentOf(fields.created ?? '') ?? momentOf(fields.updated ?? '');
  return [
    {
      format: 'evernote',
      title: title === 'Untitled' || title === 'Untitled Note' ? '' : title,
      content: text,
      ...momentHere(created),
      tags,
      files: [...placed, ...others].flatMap((resource) => fileOf(resource, places.get(resource))),
      // An export has no numbers: a note is known by its words and the instant that it was made.
      sourceId: null,
    },
  ];
}

/** What it is called in the vault. */
const nameOf = ({ name, type }: EvernoteResource): string =>
  name || `${kindOfType(type).toLowerCase()}${endingFor(type)}`;

/** How it is looked for. One without a name is not named by the text either, by which the note is known. */
function fileOf(resource: EvernoteResource, standsAs: Standing | undefined): NamedFile[] {
  const { path } = resource;
  if (path === null) return [];
  return [{ name: nameOf(resource), sought: [path], from: '', ...(standsAs && { standsAs }) }];
}

/**
 * What tells, while a text is made, which file without a name its words stand for, within their bracket: halves of characters, which
 * no decoded text has alone. It leaves the text afterwards.
 */
const MARK = /\udc00(\d+)\udc01/;
const markOf = (number: number) => `\udc00${number}\udc01`;

type Marked = (resource: EvernoteResource) => string;

/** What stands for a resource in the text. */
function standing(resource: EvernoteResource, type: string, marked: Marked): string {
  const words = leftOutText(kindOfType(type), resource.name, () => {});
  return resource.name === '' ? `${words.slice(0, -1)}${marked(resource)}]` : words;
}

/** The longest of what stands for a file without a name. */
const STANDING_MAX = '[Recording left out]'.length;

/** A text without its marks, and as which of its like each file without a name stands in it. */
function withoutMarks(marked: string, resources: readonly EvernoteResource[]) {
  const [start = '', ...pieces] = marked.split(MARK);
  const parts = [start];
  const byPlace = new Map<number, EvernoteResource>();
  const spoken = new Set<string>();
  let length = start.length;
  for (let at = 0; at < pieces.length; at += 2) {
    const resource = resources[Number(pieces[at])];
    const before = parts.at(-1) ?? '';
    const words = /\[\w+ left out$/.exec(before.slice(-STANDING_MAX))?.[0];
    if (resource && words !== undefined) {
      byPlace.set(length - words.length, resource);
      spoken.add(`${words}]`);
    }
    const text = pieces[at + 1] ?? '';
    length += text.length;
    parts.push(text);
  }
  const text = parts.join('');
  const places = new Map<EvernoteResource, { words: string; nths: number[] }>();
  for (const words of spoken) {
    for (const [nth, at] of [...placesOf(text, words)].entries()) {
      const resource = byPlace.get(at);
      if (!resource) continue;
      const place = places.get(resource) ?? { words, nths: [] };
      place.nths.push(nth);
      places.set(resource, place);
    }
  }
  return { text, places };
}

function mediaOf(
  { attributes }: MarkupElement,
  byHash: ReadonlyMap<string, EvernoteResource>,
  placed: Set<EvernoteResource>,
  marked: Marked,
): string {
  const hash = attributes.hash?.toLowerCase();
  const resource = hash ? byHash.get(hash) : undefined;
  const type = resource?.type || attributes.type || '';
  if (!resource) return leftOutText(kindOfType(type), '', () => {});
  placed.add(resource);
  return standing(resource, type, marked);
}

/** Things to do, by the place in the note that they belong to. */
function tasksByGroup(tasks: readonly Record<string, string>[]): Map<string, Record<string, string>[]> {
  const groups = new Map<string, Record<string, string>[]>();
  for (const task of tasks) {
    const group = groups.get(task.taskGroupNoteLevelID ?? '') ?? [];
    group.push(task);
    groups.set(task.taskGroupNoteLevelID ?? '', group);
  }
  return groups;
}

const tasksText = (tasks: readonly Record<string, string>[]) =>
  tasks
    .map((task) => `- [${task.taskStatus === 'completed' ? 'x' : ' '}] ${task.title ?? ''}${dueOf(task)}`)
    .join('\n');

const dueOf = ({ dueDate = '' }: Record<string, string>) => {
  const due = instantOf(dueDate);
  return due ? ` (due ${due})` : '';
};

/** What a note says of itself besides its words. Which program it came from, and how that sorts it, is not said. */
function propertiesOf(fields: Readonly<Record<string, string>>): Property[] {
  const { latitude, longitude } = fields;
  const position = latitude && longitude ? `${latitude}, ${longitude}` : '';
  return [
    { name: 'Place', value: [fields['place-name'], position].filter(Boolean).join(', ') },
    { name: 'Author', value: fields.author ?? '' },
    { name: 'Source', value: fields['source-url'] ?? '' },
    { name: 'Subject date', value: instantOf(fields['subject-date'] ?? '') },
    { name: 'Reminder', value: instantOf(fields['reminder-time'] ?? '') },
    { name: 'Reminder done', value: instantOf(fields['reminder-done-time'] ?? '') },
  ];
}

/** `20240603T081502Z`, or ISO 8601, in milliseconds; null for what is neither. */
function momentOf(text: string): number | null {
  const match = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)$/.exec(
    text.trim(),
  );
  if (!match) return null;
  const [, year, month, day, hour, minute, second, zone] = match;
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(moment) ? null : moment;
}

/** What is no moment stays as it is. */
function instantOf(text: string): string {
  const moment = momentOf(text);
  return moment === null ? text : universal(moment);
}
