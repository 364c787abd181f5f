// Day One: a journal as plain text or Markdown, one file of all entries. Each begins with lines between tabs: the date,
// and below it the weather, the place, tags and photos. Pure.
import type { LeftOutList, ParsedEntry } from '../imported-entry.ts';
import { type Property, withProperties } from '../properties.ts';
import { splitHeading } from '../titles.ts';
import { readWritten, type WrittenDate } from '../written-dates.ts';

const HEAD = /^\t(\p{L}[^\t:]{0,30}):\t(.*)$/u;
/** The name of a photo, a video or a recording. */
const MEDIA = /^\S+\.(?:jpe?g|png|gif|heic|webp|mov|mp4|m4a|aac|mp3|wav|pdf)$/i;
/** What stands where something was attached, which leads nowhere outside of Day One. */
const ATTACHMENT = /!\[[^[\]\n]*\]\(dayone-moment:[^()\n]*\)/g;

/** The label and the date that a text begins with, if it is a journal. */
function firstDate(text: string): { label: string; date: WrittenDate } | null {
  const first = /^\s*?(\t[^\n]*)/.exec(text.slice(0, 500).replace(/^\n+/, ''))?.[1];
  const [, label, value] = HEAD.exec(first ?? '') ?? [];
  const date = readWritten(value ?? '');
  return label !== undefined && date ? { label, date } : null;
}

/** Whether a text is a journal: it begins with a date between tabs. */
export const isDayOneText = (text: string): boolean => firstDate(text) !== null;

/** The entries of a journal. What is attached to them is named. @param path of the file */
export function parseDayOneText(path: string, text: string, leftOut: LeftOutList): ParsedEntry[] {
  // The label is a word of the language that the app was in.
  const label = firstDate(text)?.label;
  const blocks: { date: WrittenDate; lines: string[] }[] = [];
  let before = '';
  for (const line of text.split('\n')) {
    const [, name, value = ''] = HEAD.exec(line) ?? [];
    const date = name === label && before.trim() === '' ? readWritten(value) : null;
    if (date) blocks.push({ date, lines: [] });
    else blocks.at(-1)?.lines.push(line);
    before = line;
  }
  return blocks.map(({ date, lines }) => parseBlock(date, lines, path, leftOut));
}

function parseBlock(
  date: WrittenDate,
  lines: readonly string[],
  from: string,
  leftOut: LeftOutList,
): ParsedEntry {
  const end = lines.findIndex((line) => !HEAD.test(line));
  const heads = lines.slice(0, end < 0 ? lines.length : end).flatMap((line): Property[] => {
    const [, name = '', value = ''] = HEAD.exec(line) ?? [];
    return [{ name, value: value.trim() }];
  });
  const tags = heads.filter(({ name }) => /^(?:tags?|starred)$/i.test(name));
  const media = heads.filter(({ value }) => MEDIA.test(value));
  const files = media.map(({ value }) => ({ name: value, sought: [`photos/${value}`, value], from }));
  for (const file of files) leftOut.addNamed(file);
  const words = (end < 0 ? [] : lines.slice(end)).join('\n').replace(ATTACHMENT, () => {
    leftOut.add('media');
    return '[Attachment left out]';
  });
  const { title, body } = splitHeading(words.trimStart());
  const placed = new Set([...tags, ...media]);
  const named = media.map(({ name, value }) => `[${name} left out: ${value}]`);
  return {
    format: 'day-one',
    title,
    content: withProperties(
      [body, named.join('\n')].filter(Boolean).join('\n\n'),
      heads.filter((head) => !placed.has(head)),
    ),
    ...date,
    tags: tags.flatMap(({ name, value }) =>
      (/^starred$/i.test(name) ? ['starred'] : value.split(',')).map((tag) => tag.trim()),
    ),
    sourceId: null,
    ...(files.length > 0 && { files }),
  };
}
