// Day One: a journal as JSON, alone or in a zip with its photos (https://dayoneapp.com/guides/tips-and-tutorials/exporting-entries/).
// Pure.
import {
  isObject,
  type Json,
  type LeftOutList,
  objectsIn,
  type ParsedEntry,
  textOf,
} from '../imported-entry.ts';
import { readMoment, stampInZone } from '../local-times.ts';
import { splitHeading } from '../titles.ts';

/** Whether JSON is a journal: it says so by its entries, whatever the file is called. */
export function isDayOne(json: unknown): json is Json {
  if (!isObject(json) || !Array.isArray(json.entries)) return false;
  const [first] = json.entries;
  return first === undefined
    ? isObject(json.metadata)
    : isObject(first) && typeof first.creationDate === 'string' && typeof first.uuid === 'string';
}

const MEDIA = [
  { member: 'photos', one: 'Photo' },
  { member: 'videos', one: 'Video' },
  { member: 'audios', one: 'Recording' },
  { member: 'pdfAttachments', one: 'Document' },
] as const;

/** The entries of a journal. What is attached to them is named in their text and left out. */
export function parseDayOne(json: Json, leftOut: LeftOutList): ParsedEntry[] {
  return objectsIn(json.entries).map((entry) => parseEntry(entry, leftOut));
}

function parseEntry(entry: Json, leftOut: LeftOutList): ParsedEntry {
  const attachments = attachmentsOf(entry);
  for (const { name } of attachments.values()) leftOut.add('media', name);
  const text = withoutEscapes(
    nameAttachments(textOf(entry.text) || richTextOf(entry.richText), attachments),
  ).trim();
  const { title, body } = splitHeading(text);
  const place = placeOf(entry.location);
  const tags = Array.isArray(entry.tags) ? entry.tags.filter((tag) => typeof tag === 'string') : [];
  return {
    format: 'day-one',
    title,
    content: [body, place && `Place: ${place}`].filter(Boolean).join('\n\n'),
    ...happened(entry),
    tags: entry.starred === true ? [...tags, 'starred'] : tags,
    sourceId: textOf(entry.uuid) || null,
  };
}

function happened(entry: Json): Pick<ParsedEntry, 'happenedOn' | 'instant'> {
  const instant = readMoment(entry.creationDate);
  if (instant === null) return { happenedOn: null };
  const stamp = stampInZone(instant, textOf(entry.timeZone).replaceAll('\\/', '/'));
  return { happenedOn: entry.isAllDay === true ? (stamp?.slice(0, 10) ?? null) : stamp, instant };
}

/** What is attached to an entry, by the identifier that its text names it by. */
function attachmentsOf(entry: Json): Map<string, { name: string; one: string }> {
  const found = MEDIA.flatMap(({ member, one }) =>
    objectsIn(entry[member]).map((media) => {
      const file =
        textOf(media.filename) || [textOf(media.md5), textOf(media.type)].filter(Boolean).join('.');
      const id = textOf(media.identifier);
      return [id, { name: file || id || one.toLowerCase(), one }] as const;
    }),
  );
  return new Map(found.map(([id, media], at) => [id || `without-${at}`, media]));
}

/** `![](dayone-moment://ID)` and its kin, which lead nowhere outside of Day One. */
const nameAttachments = (text: string, attachments: ReturnType<typeof attachmentsOf>) =>
  text.replace(/!\[[^[\]\n]*\]\(dayone-moment:\/(?:\w*\/)?\/?([\w-]+)\)/g, (_, id: string) => {
    const media = attachments.get(id);
    return `[${media?.one ?? 'Attachment'} left out${media ? `: ${media.name}` : ''}]`;
  });

/** Day One escapes whatever Markdown could take for a mark: `1\. It was\!` */
const withoutEscapes = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('\u200b', '');

/** Newer exports may hold the text in this form alone. */
function richTextOf(value: unknown): string {
  try {
    const rich: unknown = JSON.parse(textOf(value) || 'null');
    if (!isObject(rich)) return '';
    return objectsIn(rich.contents)
      .map(({ text }) => textOf(text))
      .join('');
  } catch {
    return '';
  }
}

function placeOf(location: unknown): string {
  if (!isObject(location)) return '';
  const parts = ['placeName', 'localityName', 'country'].map((member) => textOf(location[member]).trim());
  return [...new Set(parts.filter(Boolean))].join(', ');
}
