// Journey: a JSON for each entry, in a zip with its photos. Pure.
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
import { leftOut as leftOutText } from '../markup/links-and-media.ts';
import { parseMarkup } from '../markup/parse-markup.ts';
import { toMarkdown } from '../markup/to-markdown.ts';
import { type Property, withProperties } from '../properties.ts';
import { splitHeading } from '../titles.ts';

/** Whether JSON is an entry: it has its moment, and a text. */
export const isJourney = (json: unknown): json is Json =>
  isObject(json) &&
  momentOf(json) !== null &&
  (typeof json.text === 'string' || typeof json.preview_text === 'string');

/** The moment of an entry, in milliseconds. Later exports call it otherwise. */
function momentOf({ date_journal, dateOfJournal }: Json): number | null {
  const moment = date_journal ?? dateOfJournal;
  if (typeof moment === 'number') return Number.isFinite(moment) && moment > 0 ? moment : null;
  return readMoment(moment);
}

/** One entry. @param path of its file, whose name is its number where it says none */
export function parseJourney(entry: Json, path: string, leftOut: LeftOutList): ParsedEntry[] {
  const moment = momentOf(entry) ?? 0;
  // The preview is a beginning: it counts where there is nothing else.
  const text = wordsOf(textOf(entry.text) || textOf(entry.preview_text), textOf(entry.type), leftOut);
  const { title, body } = splitHeading(text);
  const tags = Array.isArray(entry.tags) ? entry.tags.filter((tag) => typeof tag === 'string') : [];
  const media = mediaOf(entry, path, leftOut);
  const own = [textOf(entry.folder), textOf(entry.label)].filter(Boolean);
  return [
    {
      format: 'journey',
      title,
      content: withProperties([body, media.text].filter(Boolean).join('\n\n'), propertiesOf(entry)),
      happenedOn: stampInZone(moment, textOf(entry.timezone)),
      instant: moment,
      tags: [...tags, ...own, ...(entry.favourite === true ? ['favourite'] : [])],
      sourceId:
        textOf(entry.id) ||
        path
          .split('/')
          .at(-1)
          ?.replace(/\.json$/i, '') ||
        null,
      ...(media.files.length > 0 && { files: media.files }),
    },
  ];
}

/** Entries are HTML since 2018; older ones are text, which may have its angles too. */
function wordsOf(text: string, type: string, leftOut: LeftOutList): string {
  const html = type === 'html' || (type === '' && /^\s*<(p|div|h\d|ul|ol|blockquote|br)\b/i.test(text));
  return html
    ? toMarkdown(parseMarkup(text), { onMedia: (name) => leftOut.add('media', name) })
    : text.trim();
}

/** Photos and attachments by their names, and where they lie: beside the entry. */
function mediaOf(entry: Json, from: string, leftOut: LeftOutList): { text: string; files: NamedFile[] } {
  const names = [
    ...(Array.isArray(entry.photos) ? entry.photos.filter((name) => typeof name === 'string') : []),
    ...objectsIn(entry.attachments).map(
      (media) => textOf(media.filename) || textOf(media.name) || textOf(media.id),
    ),
  ];
  const files = names.filter(Boolean).map((name) => ({ name, sought: [name], from }));
  for (const file of files) leftOut.addNamed(file);
  return { files, text: files.map(({ name }) => leftOutText(kindOfName(name), name, () => {})).join('\n') };
}

const kindOfName = (name: string) =>
  /\.(mp4|mov|m4v|3gp|webm|avi|mkv)$/i.test(name)
    ? 'Video'
    : /\.(mp3|m4a|aac|wav|ogg|amr|flac|opus)$/i.test(name)
      ? 'Recording'
      : 'Photo';

function propertiesOf(entry: Json): Property[] {
  const weather = isObject(entry.weather) ? entry.weather : {};
  const degrees = coordinate(weather.degree_c, 200);
  const [lat, lon] = [coordinate(entry.lat, 90), coordinate(entry.lon, 180)];
  const position = lat !== null && lon !== null && (lat !== 0 || lon !== 0) ? `${lat}, ${lon}` : '';
  return [
    { name: 'Place', value: textOf(entry.address).trim() || position },
    {
      name: 'Weather',
      value: [
        textOf(weather.description),
        degrees === null ? '' : `${Math.round(degrees * 10) / 10} °C`,
        textOf(weather.place),
      ]
        .filter(Boolean)
        .join(', '),
    },
    { name: 'Mood', value: typeof entry.mood === 'number' && entry.mood > 0 ? String(entry.mood) : '' },
    { name: 'Activity', value: textOf(entry.activity) },
    {
      name: 'Music',
      value: [textOf(entry.music_artist), textOf(entry.music_title)].filter(Boolean).join(' – '),
    },
  ];
}

/** A number within bounds. What is not known is the largest number that there is. */
const coordinate = (value: unknown, most: number): number | null =>
  typeof value === 'number' && Math.abs(value) <= most ? value : null;
