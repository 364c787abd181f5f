// jrnl: a journal of the command line, as it exports JSON and as it keeps and exports text. Pure.
import { isObject, type Json, objectsIn, type ParsedEntry, textOf } from '../imported-entry.ts';
import { stampOf, validStamp } from '../local-times.ts';

/** Whether JSON is what `jrnl --format json` writes. */
export const isJrnl = (json: unknown): json is Json =>
  isObject(json) &&
  isObject(json.tags) &&
  Array.isArray(json.entries) &&
  json.entries.every(
    (entry: unknown) =>
      isObject(entry) &&
      typeof entry.title === 'string' &&
      typeof entry.body === 'string' &&
      typeof entry.date === 'string' &&
      typeof entry.time === 'string',
  );

/** Entries of the JSON form: their times are local, and their tags bear the mark that the journal gives them. */
export function parseJrnl(json: Json): ParsedEntry[] {
  return objectsIn(json.entries).map((entry) =>
    entryOf({
      title: textOf(entry.title),
      content: textOf(entry.body),
      happenedOn: validStamp(`${textOf(entry.date)}T${textOf(entry.time).slice(0, 5)}`),
      tags: Array.isArray(entry.tags) ? entry.tags.map(textOf) : [],
      starred: entry.starred === true,
    }),
  );
}

/** `[2024-06-03 10:12] `, with seconds or with AM and PM, in front of an entry. */
const HEAD = /^\[(\d{4})-(\d\d)-(\d\d) (\d\d?):(\d\d)(?::\d\d)?(?: ?([AP])M)?\] ?(.*)$/i;

/** A head that messages of WhatsApp could have as well. */
const CHAT_HEAD = /^\[[\d-]+ \d\d?:\d\d:\d\d\] /;

/** Whether a text begins with an entry, as journals of jrnl do, and is no chat: there somebody's name is in front of all. */
export function isJrnlText(text: string): boolean {
  const lines = text.slice(0, 20_000).trimStart().split('\n');
  const [first = ''] = lines;
  if (!HEAD.test(first.trimEnd())) return false;
  return !CHAT_HEAD.test(first) || lines.some((line) => CHAT_HEAD.test(line) && !/\] [^:]+: /.test(line));
}

/** Entries of the text form. Each begins on a line of its own with its time in brackets. */
export function parseJrnlText(text: string): ParsedEntry[] {
  const entries: { head: RegExpExecArray; body: string[] }[] = [];
  for (const line of text.split('\n')) {
    const head = HEAD.exec(line.trimEnd());
    if (head) entries.push({ head, body: [] });
    else entries.at(-1)?.body.push(line);
  }
  return entries.map(({ head, body }) => {
    const [, year, month, day, hour, minute, half, rest = ''] = head;
    const starred = /^\*\s|\s\*$/.test(rest);
    const title = rest.replace(/^\*\s+|(?<!\s)\s+\*$/g, '').trim();
    const content = body.join('\n').trim();
    return entryOf({
      title,
      content,
      happenedOn: stampOf(
        Number(year),
        Number(month),
        Number(day),
        hourOf(Number(hour), half),
        Number(minute),
      ),
      tags: [...`${title}\n${content}`.matchAll(/(?<![^\s(,;])@[\p{L}\p{N}_][\p{L}\p{N}_-]*/gu)].map(
        ([tag]) => tag,
      ),
      starred,
    });
  });
}

const hourOf = (hour: number, half: string | undefined) =>
  half === undefined ? hour : (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);

interface Told {
  title: string;
  content: string;
  happenedOn: string | null;
  tags: string[];
  starred: boolean;
}

function entryOf({ title, content, happenedOn, tags, starred }: Told): ParsedEntry {
  const names = [...new Set(tags.map((tag) => tag.replace(/^[@#]/, '')))];
  return {
    format: 'jrnl',
    title,
    content,
    happenedOn,
    tags: starred ? [...names, 'starred'] : names,
    sourceId: null,
  };
}
