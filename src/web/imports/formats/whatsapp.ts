// WhatsApp: an exported chat, one text file of messages, from Android or iOS, in any language. Which number of a date is
// the day and which the month is found by looking at all of them. Pure.
import { dayIn, otherCalendars } from '../calendars.ts';
import { type Chat, type ChatMessage, type DateOrder, numberOrders, partsOfOrder } from '../chats.ts';
import type { LeftOutList } from '../imported-entry.ts';
import { baseName } from '../titles.ts';
import { type Head, readHead } from './whatsapp-line.ts';
import { type Placeholder, placeholdersIn } from './whatsapp-placeholders.ts';

interface Line extends Head {
  from: string | null;
  /** Its text, with the lines that go on. */
  text: string;
  /** The line as it is in the file. */
  raw: string;
}

/** Whether a text is an exported chat: it begins with a dated line, and somebody says something soon. */
export function isWhatsApp(text: string): boolean {
  const first = text
    .slice(0, 20_000)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 40);
  const heads = first.map(readHead);
  const [head] = heads;
  if (!head) return false;
  const said = heads.flatMap((one) => (one ? [splitSender(one.rest).from] : []));
  return said.some((from) => from !== null) && DATE_ORDERS.some((order) => stampIn(order, head) !== null);
}

/**
 * The conversation of an exported chat.
 * @param path of its file
 * @param zip the name of the zip around it, where iOS says whose chat it is
 * @param now in milliseconds: nobody has written anything after it
 */
export function parseWhatsApp(
  text: string,
  path: string,
  zip: string | null,
  leftOut: LeftOutList,
  now: number = Date.now(),
): Chat {
  const lines = readLines(text);
  const name = chatName(path, zip) ?? participants(lines);
  const orders = possibleOrders(lines, now);
  const mediaIn = placeholdersIn(lines.map((line) => line.text));
  const reading: Reading = { path, lines, mediaIn, notices: noticeWriters(lines, mediaIn) };
  const likely = messagesIn(reading, orders[0] ?? 'dmy', leftOut);
  return {
    format: 'whatsapp',
    id: name,
    name,
    orders,
    messages: (order = orders[0]) =>
      order === orders[0] ? likely : messagesIn(reading, order ?? 'dmy', null),
  };
}

/** The lines of one file, and what of them the app has written. */
interface Reading {
  path: string;
  lines: readonly Line[];
  mediaIn: (text: string) => Placeholder | null;
  notices: ReadonlySet<string>;
}

function readLines(text: string): Line[] {
  const lines: Line[] = [];
  for (const raw of text.split('\n')) {
    const head = readHead(raw);
    const last = lines.at(-1);
    if (head) lines.push({ ...head, ...splitSender(head.rest), raw });
    else if (last) last.text += `\n${raw}`;
  }
  return lines;
}

/** `Name: text`; Korean phones put a space before the colon. */
function splitSender(rest: string): { from: string | null; text: string } {
  const match = /^[\u200e\u202a-\u202e]*([^:\n]{1,120}?)[ \u00a0]?:(?: |$)/.exec(rest);
  if (!match?.[1]) return { from: null, text: rest };
  return {
    from: match[1].replace(/[\u200e\u200f\u202a-\u202e]/g, '').trim(),
    text: rest.slice(match[0].length),
  };
}

const DATE_ORDERS: readonly DateOrder[] = [
  ...numberOrders,
  ...otherCalendars.flatMap((calendar) => numberOrders.map((numbers) => `${numbers} ${calendar}` as const)),
];

/** The moment of a line, if its numbers are day, month and year in this order. */
const stampIn = (order: DateOrder, head: Head): string | null => timed(dayOf(order, head), head);

const two = (n: number) => String(n).padStart(2, '0');

const timed = (day: string | null, { hour, minute }: Head): string | null =>
  day && `${day}T${two(hour)}:${two(minute)}`;

function dayOf(order: DateOrder, { date, digits }: Head): string | null {
  const [a, b, c] = date;
  const { numbers, calendar } = partsOfOrder(order);
  const [day, month, year] = numbers === 'dmy' ? [a, b, c] : numbers === 'mdy' ? [b, a, c] : [c, b, a];
  const length = numbers === 'ymd' ? digits[0] : digits[1];
  const other = numbers === 'ymd' ? digits[1] : digits[0];
  if (length === 1 || length === 3 || other > 2) return null;
  return dayIn(calendar, year, month, day, length === 2);
}

const NEVER = '9999-12-31';

/** The orders that fit the most lines and let time run forward, the likeliest first. */
function possibleOrders(lines: readonly Line[], now: number): DateOrder[] {
  // By the clock of any zone; the phone's own clock may have been wrong all the time.
  const tomorrow = new Date(now + 38 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const runs = runsOf(lines);
  const past = judgeAll(runs, tomorrow);
  const judged = past.length > 0 ? past : judgeAll(runs, NEVER);
  const most = Math.max(0, ...judged.map(({ fits }) => fits));
  const fitting = judged.filter(({ fits }) => fits === most);
  const fewest = Math.min(...fitting.map(({ back }) => back));
  const likely = fitting.filter(({ back }) => back === fewest);
  // Two digits of a year in front are rare: few languages do it. Months come first with slashes alone.
  const [first] = lines;
  const usual = likely.filter(
    ({ order }) =>
      !order.startsWith('ymd') || likely.length === 1 || first?.digits[0] === 4 || first?.shortYearFirst,
  );
  const left = usual.filter(
    ({ order }) => !order.startsWith('mdy') || first?.separator === '/' || usual.length === 1,
  );
  // Where both read the same, nothing has to be chosen.
  const seen = new Set<string>();
  const distinct = left.filter(({ days }) => !seen.has(days) && seen.add(days));
  const american = first?.halves === true;
  return distinct
    .map(({ order }) => order)
    .sort((a, b) =>
      american ? Number(b === 'mdy') - Number(a === 'mdy') : Number(a === 'mdy') - Number(b === 'mdy'),
    );
}

const judgeAll = (runs: readonly Run[], until: string) =>
  DATE_ORDERS.map((order) => ({ order, ...judge(runs, order, until) })).filter(({ fits }) => fits > 0);

/** Lines of one date that follow each other. */
interface Run {
  head: Head;
  count: number;
}

/** Years of a conversation have few dates: each is looked at once for all its lines. */
function runsOf(lines: readonly Line[]): Run[] {
  const runs: Run[] = [];
  let before = '';
  for (const line of lines) {
    const key = dateKey(line);
    const last = runs.at(-1);
    if (last && key === before) last.count += 1;
    else runs.push({ head: line, count: 1 });
    before = key;
  }
  return runs;
}

const dateKey = ({ date, digits }: Head) => `${date.join()} ${digits.join()}`;

function judge(
  runs: readonly Run[],
  order: DateOrder,
  until: string,
): { fits: number; back: number; days: string } {
  let [fits, back, before] = [0, 0, ''];
  const days: string[] = [];
  for (const { head, count } of runs) {
    const day = dayOf(order, head);
    if (day === null || day > until) continue;
    fits += count;
    if (day < before) back += 1;
    if (day !== before) days.push(day);
    before = day;
  }
  return { fits, back, days: days.join() };
}

/**
 * On iOS the name of a group says what happens in it. Nobody whose every line the app has written is a person; what has
 * more lines, such as a poll, has somebody's words in it.
 */
function noticeWriters(lines: readonly Line[], mediaIn: Reading['mediaIn']): Set<string> {
  const writers = new Set(lines.flatMap(({ from }) => (from === null ? [] : [from])));
  for (const { from, text } of lines)
    if (from !== null && (!text.startsWith('\u200e') || text.includes('\n') || mediaIn(text)))
      writers.delete(from);
  return writers;
}

function messagesIn(
  { path, lines, mediaIn, notices }: Reading,
  order: DateOrder,
  leftOut: LeftOutList | null,
): ChatMessage[] {
  const messages: ChatMessage[] = [];
  const days = new Map<string, string | null>();
  const stampOf = (line: Line) => {
    const key = dateKey(line);
    if (!days.has(key)) days.set(key, dayOf(order, line));
    return timed(days.get(key) ?? null, line);
  };
  for (const [index, line] of lines.entries()) {
    const at = stampOf(line);
    const last = messages.at(-1);
    if (at === null) {
      // A dated line of no possible date is what somebody wrote.
      if (last) last.text += `\n${line.raw}`;
      continue;
    }
    const isNotice =
      line.from === null || notices.has(line.from) || (index === 0 && line.text.startsWith('\u200e'));
    const media = mediaIn(line.text);
    if (isNotice && !media) {
      leftOut?.add('notice');
      continue;
    }
    const file = media?.name ? { name: media.name, sought: [media.name], from: path } : undefined;
    if (file) leftOut?.addNamed(file);
    else if (media) leftOut?.add('media');
    const text = media
      ? [`[Left out${media.name && `: ${media.name}`}]`, media.caption].filter(Boolean).join('\n')
      : line.text;
    messages.push({
      at,
      from: line.from ?? '',
      text: text.replace(/^[\u200e\u200f]+/, '').trimEnd(),
      ...(file && { file }),
    });
  }
  return messages;
}

/** `WhatsApp Chat with Anna.txt`, `WhatsApp Chat - Anna.zip`, in any language: what follows the word between them. */
function chatName(path: string, zip: string | null): string | null {
  for (const file of [path, zip ?? '']) {
    const name = baseName(file)
      .replace(/[\u200e\u200f]/g, '')
      .replace(/\(\d+\)$/, '')
      .trim();
    const after =
      / - (.+)$/.exec(name) ?? / (?:with|mit|con|avec|com|met|med|z|с|и|ile|kanssa|dengan) (.+)$/i.exec(name);
    if (/whatsapp/i.test(name) && after?.[1]) return after[1].trim();
    if (name !== '' && !/whatsapp|^_chat$/i.test(name)) return name;
  }
  return null;
}

function participants(lines: readonly Line[]): string {
  const names = [...new Set(lines.flatMap(({ from }) => (from === null ? [] : [from])))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(' and ') || 'A chat';
}
