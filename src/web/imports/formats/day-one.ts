// Day One: a journal as JSON, alone or in a zip with its photos (https://dayoneapp.com/guides/tips-and-tutorials/exporting-entries/).
// Pure.
import {
  isObject,
  type Json,
  type LeftOutList,
  type NamedFile,
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

/** What an entry has besides words: its member, where its files lie, and the endings that they may have besides their type. */
const MEDIA = [
  { member: 'photos', one: 'Photo', folder: 'photos', endings: ['jpeg', 'jpg', 'heic', 'png'] },
  { member: 'videos', one: 'Video', folder: 'videos', endings: ['mov', 'mp4'] },
  { member: 'audios', one: 'Recording', folder: 'audios', endings: ['m4a', 'aac', 'mp3', 'wav'] },
  { member: 'pdfAttachments', one: 'Document', folder: 'pdfs', endings: ['pdf'] },
] as const;
type Media = (typeof MEDIA)[number];

/** The entries of a journal, each with what is attached to it. @param path of its file, beside which the attachments lie */
export function parseDayOne(json: Json, path: string, leftOut: LeftOutList): ParsedEntry[] {
  return objectsIn(json.entries).map((entry) => parseEntry(entry, path, leftOut));
}

function parseEntry(entry: Json, path: string, leftOut: LeftOutList): ParsedEntry {
  const attachments = attachmentsOf(entry, path);
  const files = [...attachments.values()];
  for (const { file } of files) leftOut.addNamed(file);
  const placed = new Set<Attachment>();
  const text = withoutEscapes(
    nameAttachments(textOf(entry.text) || richTextOf(entry.richText), attachments, placed),
  ).trim();
  const { title, body } = splitHeading(text);
  const place = placeOf(entry.location);
  const tags = Array.isArray(entry.tags) ? entry.tags.filter((tag) => typeof tag === 'string') : [];
  const others = files.filter((one) => !placed.has(one)).map(markOf);
  const places = files
    .filter((one) => one.place !== '' && one.place !== place)
    .map((one) => `Place of ${one.file.name}: ${one.place}`);
  return {
    format: 'day-one',
    title: title || titleOfAttachments(body, files),
    content: [body, others.join('\n'), place && `Place: ${place}`, places.join('\n')]
      .filter(Boolean)
      .join('\n\n'),
    ...happened(entry),
    tags: entry.starred === true ? [...tags, 'starred'] : tags,
    sourceId: textOf(entry.uuid) || null,
    ...(files.length > 0 && { files: files.map(({ file }) => file) }),
  };
}

function happened(entry: Json): Pick<ParsedEntry, 'happenedOn' | 'instant'> {
  const instant = readMoment(entry.creationDate);
  if (instant === null) return { happenedOn: null };
  const stamp = stampInZone(instant, zoneOf(entry));
  return { happenedOn: entry.isAllDay === true ? (stamp?.slice(0, 10) ?? null) : stamp, instant };
}

interface Attachment {
  one: Media['one'];
  file: NamedFile;
  place: string;
}

/** What is attached to an entry, by the identifier that its text names it by. */
function attachmentsOf(entry: Json, path: string): Map<string, Attachment> {
  const found = MEDIA.flatMap((media) =>
    objectsIn(entry[media.member]).map(
      (attached) => [textOf(attached.identifier), attachmentOf(attached, media, entry, path)] as const,
    ),
  );
  return new Map(found.map(([id, media], at) => [id || `without-${at}`, media]));
}

function attachmentOf(
  attached: Json,
  { one, folder, endings }: Media,
  entry: Json,
  from: string,
): Attachment {
  const [md5, type, filename] = [attached.md5, attached.type, attached.filename].map(textOf);
  const name = filename || [md5, type].filter(Boolean).join('.') || textOf(attached.identifier);
  const stored = md5 ? [...new Set([type, ...endings].filter(Boolean))].map((end) => `${md5}.${end}`) : [];
  const takenAt = takenAtOf(attached, entry);
  return {
    one,
    place: placeOf(attached.location),
    file: {
      name: oneLine(name) || one.toLowerCase(),
      // Known by their sums; older exports have them under their names.
      sought: [...stored.map((file) => `${folder}/${file}`), ...(filename ? [`${folder}/${filename}`] : [])],
      from,
      ...(takenAt && { takenAt }),
    },
  };
}

/** A name that stands in a text between brackets. */
const oneLine = (name: string) => name.replace(/[\s[\]]+/g, ' ').trim();

/** When it was made, by the clock of its entry. */
function takenAtOf(attached: Json, entry: Json): string | null {
  const instant = readMoment(attached.date);
  if (instant === null) return null;
  const stamp = stampInZone(instant, zoneOf(entry));
  return stamp && `${stamp}:${new Date(instant).toISOString().slice(17, 19)}`;
}

const markOf = ({ one, file }: Attachment) => `[${one} left out: ${file.name}]`;

/** `![](dayone-moment://ID)` and its kin, which lead nowhere outside of Day One. */
const nameAttachments = (
  text: string,
  attachments: ReadonlyMap<string, Attachment>,
  placed: Set<Attachment>,
) =>
  text.replace(/!\[[^[\]\n]*\]\(dayone-moment:\/(?:\w*\/)?\/?([\w-]+)\)/g, (_, id: string) => {
    const media = attachments.get(id);
    if (!media) return '[Attachment left out]';
    placed.add(media);
    return markOf(media);
  });

/** What an entry is called that has no words, but pictures: how many there are. */
function titleOfAttachments(body: string, files: readonly Attachment[]): string {
  const rest = files.reduce((text, file) => text.replace(markOf(file), ''), body);
  const [first] = files;
  if (!first || rest.trim() !== '') return '';
  const isOneKind = files.every(({ one }) => one === first.one);
  if (files.length === 1) return first.one;
  return isOneKind ? `${files.length} ${first.one.toLowerCase()}s` : `${files.length} attachments`;
}

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

const zoneOf = (entry: Json) => textOf(entry.timeZone).replaceAll('\\/', '/');

/** The names of a place; where it has none, how far north and east it lies. */
function placeOf(location: unknown): string {
  if (!isObject(location)) return '';
  const parts = ['placeName', 'localityName', 'country'].map((member) => textOf(location[member]).trim());
  const names = [...new Set(parts.filter(Boolean))].join(', ');
  const { latitude, longitude } = location;
  const isPosition = typeof latitude === 'number' && typeof longitude === 'number';
  return names || (isPosition ? `${latitude}, ${longitude}` : '');
}
