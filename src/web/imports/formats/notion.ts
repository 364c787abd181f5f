// Notion: a page as Markdown, its number in the name of the file, its properties as lines under the title. Pure.
import type { LeftOutList, NamedFile, ParsedEntry } from '../imported-entry.ts';
import { type Property, withProperties } from '../properties.ts';
import { baseName } from '../titles.ts';
import { readSaidDate, readWritten, saysMore, type WrittenDate } from '../written-dates.ts';
import { dayInName } from './markdown.ts';
import { filesInMarkdown } from './markdown-files.ts';

const NUMBERED = /^(.*?)[ _-]?([0-9a-f]{32})(_all)?$/i;

/** The 32 hexadecimal digits that Notion puts behind the name of each page and database; null without. */
export const notionId = (path: string): string | null =>
  NUMBERED.exec(baseName(path))?.[2]?.toLowerCase() ?? null;

/** The name of a file without that number. */
const notionName = (path: string) => NUMBERED.exec(baseName(path))?.[1]?.trim() ?? baseName(path);

/** One page as one entry. Properties that are not its date and no tags stand below its text. */
export function parseNotion(path: string, text: string, leftOut: LeftOutList): ParsedEntry {
  const heading = /^\s*#[ \t]+(.*)(?:\n+|$)/.exec(text);
  const rest = heading ? text.slice(heading[0].length) : text;
  const { properties, body } = splitProperties(rest);
  const files = filesInMarkdown(path, text, leftOut);
  return notionEntry(path, { title: heading?.[1]?.trim() ?? '', properties, body, files });
}

/** A page by its parts, whatever form it was exported in. @param path of its file, which has its number */
export function notionEntry(
  path: string,
  page: { title: string; properties: readonly Property[]; body: string; files: readonly NamedFile[] },
): ParsedEntry {
  const { properties, body, files } = page;
  const title = page.title || notionName(path);
  const { date, property } = dateOf(title, properties);
  const tags = properties.filter(({ name }) => TAGS.has(name.toLowerCase()));
  // The end of a range has no other place.
  const used = new Set([...tags, ...(property && !saysMore(property.value) ? [property] : [])]);
  return {
    format: 'notion',
    title,
    content: withProperties(
      body,
      properties.filter((one) => !used.has(one)),
    ),
    ...(date ?? { happenedOn: null }),
    tags: tags.flatMap(({ value }) => value.split(',')).map((tag) => tag.trim()),
    sourceId: notionId(path),
    ...(files.length > 0 && { files }),
  };
}

const TAGS = new Set(['tags', 'tag', 'labels', 'label']);

/** Names of the day that it happened on, which somebody has given, and of the one that Notion gives by itself. */
const HAPPENED = /^(?:date|day|when|datum|fecha|data|dia|día|jour|dato|päivä|tarih|дата|日付|日期|날짜)$/i;
const CREATED = /^(?:created|created time|created at|date created|creation date)$/i;
/** Other days than the one it happened on. */
const LATER = /^(?:due|deadline|remind|last |updated|modified|edited|expir|until|end\b)/i;

/** When a page happened: what a property of a known name says, its title, or any other property that is a date. */
function dateOf(
  title: string,
  properties: readonly Property[],
): { date: WrittenDate | null; property: Property | null } {
  const dates = properties.flatMap((property) => {
    const isCalledDate = HAPPENED.test(property.name);
    const date = isCalledDate
      ? readSaidDate(property.value)
      : /\D/.test(property.value)
        ? readWritten(property.value)
        : null;
    return date ? [{ date, property }] : [];
  });
  const called = (names: RegExp) => dates.find(({ property }) => names.test(property.name));
  const titled = readWritten(title) ?? dayBefore(title);
  return (
    called(HAPPENED) ??
    (titled ? { date: titled, property: null } : undefined) ??
    called(CREATED) ??
    dates.find(({ property }) => !LATER.test(property.name)) ??
    dates[0] ?? { date: null, property: null }
  );
}

/** A day in front of a title, `2024-06-03 The lake`, as journals have it. */
function dayBefore(title: string): WrittenDate | null {
  const day = dayInName(title);
  return day === null ? null : { happenedOn: day };
}

/** The lines `Name: value` right under the title, up to the first that is none. */
function splitProperties(text: string) {
  const properties: Property[] = [];
  const lines = text.split('\n');
  for (const line of lines) {
    const match = /^([\p{L}][^:\n]{0,59}):[ \t]+(\S.*)$/u.exec(line);
    if (!match || /^https?$/i.test(match[1] ?? '')) break;
    properties.push({ name: (match[1] ?? '').trim(), value: (match[2] ?? '').trim() });
  }
  // One line with a colon and more text below it is a sentence. Properties end in an empty line, or with the page.
  const after = lines[properties.length];
  if (after !== undefined && after.trim() !== '') return { properties: [], body: text };
  return { properties, body: lines.slice(properties.length).join('\n') };
}
