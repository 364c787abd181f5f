// Notion: a page as Markdown, its number in the name of the file, its properties as lines under the title. Pure.
import type { ParsedEntry } from '../imported-entry.ts';
import { monthOf, readLocal, stampOf } from '../local-times.ts';
import { baseName } from '../titles.ts';

const NUMBERED = /^(.*?)[ _-]?([0-9a-f]{32})(_all)?$/i;

/** The 32 hexadecimal digits that Notion puts behind the name of each page and database; null without. */
export const notionId = (path: string): string | null =>
  NUMBERED.exec(baseName(path))?.[2]?.toLowerCase() ?? null;

/** The name of a file without that number. */
const notionName = (path: string) => NUMBERED.exec(baseName(path))?.[1]?.trim() ?? baseName(path);

/** One page as one entry. Properties that are no date and no tags stay in its text. */
export function parseNotion(path: string, text: string): ParsedEntry {
  const heading = /^\s*#[ \t]+(.*)(?:\n+|$)/.exec(text);
  const rest = heading ? text.slice(heading[0].length) : text;
  const { properties, body } = splitProperties(rest);
  const date = properties.find(({ key, value }) => DATES.has(key) && readNotionDate(value) !== null);
  const tags = properties.filter(({ key }) => TAGS.has(key));
  const used = new Set([...tags, ...(date ? [date] : [])]);
  const kept = properties.filter((property) => !used.has(property)).map(({ line }) => line);
  return {
    format: 'notion',
    title: heading?.[1]?.trim() || notionName(path),
    content: [kept.join('\n'), body.trim()].filter(Boolean).join('\n\n'),
    happenedOn: date ? readNotionDate(date.value) : null,
    tags: tags.flatMap(({ value }) => value.split(',')).map((tag) => tag.trim()),
    sourceId: notionId(path),
  };
}

const DATES = new Set(['created', 'created time', 'date', 'created at', 'date created', 'day']);
const TAGS = new Set(['tags', 'tag', 'labels', 'label']);

/** The lines `Name: value` right under the title, up to the first that is none. */
function splitProperties(text: string) {
  const properties: { key: string; value: string; line: string }[] = [];
  const lines = text.split('\n');
  for (const line of lines) {
    const match = /^([\p{L}][^:\n]{0,59}):[ \t]+(\S.*)$/u.exec(line);
    if (!match || /^https?$/i.test(match[1] ?? '')) break;
    properties.push({ key: (match[1] ?? '').trim().toLowerCase(), value: (match[2] ?? '').trim(), line });
  }
  // One line with a colon and more text below it is a sentence. Properties end in an empty line, or with the page.
  const after = lines[properties.length];
  if (after !== undefined && after.trim() !== '') return { properties: [], body: text };
  return { properties, body: lines.slice(properties.length).join('\n') };
}

/** `December 31, 2023 11:59 PM`, `2023/12/31 23:59`, `31 December 2023`; of a range its beginning. */
export function readNotionDate(text: string): string | null {
  const value = (text.split('→')[0] ?? '')
    .replace(/^@/, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/\s*\([^)]*\)\s*$/, '')
    .trim();
  const iso = readLocal(value.replace(/^(\d{4})\/(\d\d?)\/(\d\d?)/, '$1-$2-$3'));
  if (iso) return iso;
  const time = /[ ,]+(\d\d?):(\d\d)(?:\s*([AP])M)?$/i.exec(value);
  const date = time ? value.slice(0, time.index) : value;
  const american = /^(\p{L}+) (\d\d?), (\d{4})$/u.exec(date);
  const british = /^(\d\d?) (\p{L}+) (\d{4})$/u.exec(date);
  const [month, day, year] = american
    ? [american[1], american[2], american[3]]
    : [british?.[2], british?.[1], british?.[3]];
  if (!month || !monthOf(month)) return null;
  if (!time) return stampOf(Number(year), monthOf(month), Number(day));
  const half = time[3]?.toUpperCase();
  const hour = half ? (Number(time[1]) % 12) + (half === 'P' ? 12 : 0) : Number(time[1]);
  return stampOf(Number(year), monthOf(month), Number(day), hour, Number(time[2]));
}
