// WhatsApp: an exported chat, one text file of messages, from Android or iOS, in any language. Which number of a date is
// the day and which the month is found by looking at all of them. Pure.
import type { Chat, ChatMessage, DateOrder } from '../chats.ts';
import type { LeftOutList } from '../imported-entry.ts';
import { stampOf } from '../local-times.ts';
import { baseName } from '../titles.ts';
import { type Head, readHead } from './whatsapp-line.ts';

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
 */
export function parseWhatsApp(text: string, path: string, zip: string | null, leftOut: LeftOutList): Chat {
  const lines = readLines(text);
  const name = chatName(path, zip) ?? participants(lines);
  const orders = possibleOrders(lines);
  const notices = noticeWriters(lines);
  const likely = messagesIn(lines, orders[0] ?? 'dmy', notices, leftOut);
  return {
    format: 'whatsapp',
    id: name,
    name,
    orders,
    messages: (order = orders[0]) =>
      order === orders[0] ? likely : messagesIn(lines, order ?? 'dmy', notices, null),
  };
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

const DATE_ORDERS: readonly DateOrder[] = ['dmy', 'mdy', 'ymd'];

/** The moment of a line, if its numbers are day, month and year in this order. WhatsApp began in 2009. */
function stampIn(order: DateOrder, { date, digits, hour, minute }: Head): string | null {
  const [a, b, c] = date;
  const [day, month, short] = order === 'dmy' ? [a, b, c] : order === 'mdy' ? [b, a, c] : [c, b, a];
  const length = order === 'ymd' ? digits[0] : digits[1];
  const other = order === 'ymd' ? digits[1] : digits[0];
  if (length === 1 || length === 3 || other > 2) return null;
  // Thai phones count the years of the Buddhist era.
  const year = length === 2 ? 2000 + short : short > 2500 ? short - 543 : short;
  return year < 2009 || year > 2100 ? null : stampOf(year, month, day, hour, minute);
}

/** The orders that fit the most lines and let time run forward, the likeliest first. */
function possibleOrders(lines: readonly Line[]): DateOrder[] {
  const judged = DATE_ORDERS.map((order) => ({ order, ...judge(lines, order) })).filter(
    ({ fits }) => fits > 0,
  );
  const most = Math.max(0, ...judged.map(({ fits }) => fits));
  const fitting = judged.filter(({ fits }) => fits === most);
  const fewest = Math.min(...fitting.map(({ back }) => back));
  const likely = fitting.filter(({ back }) => back === fewest);
  // Two digits of a year in front are rare: only where nothing else fits. Months come first with slashes alone.
  const usual = likely.filter(({ order }) => order !== 'ymd' || likely.length === 1);
  const slashes = lines[0]?.separator === '/';
  const left = usual.filter(({ order }) => order !== 'mdy' || slashes || usual.length === 1);
  // Where both read the same, nothing has to be chosen.
  const seen = new Set<string>();
  const distinct = left.filter(({ days }) => !seen.has(days) && seen.add(days));
  const american = lines[0]?.halves === true;
  return distinct
    .map(({ order }) => order)
    .sort((a, b) =>
      american ? Number(b === 'mdy') - Number(a === 'mdy') : Number(a === 'mdy') - Number(b === 'mdy'),
    );
}

function judge(lines: readonly Line[], order: DateOrder): { fits: number; back: number; days: string } {
  let [fits, back, before] = [0, 0, ''];
  const days: string[] = [];
  for (const line of lines) {
    const day = stampIn(order, line)?.slice(0, 10);
    if (day === undefined) continue;
    fits += 1;
    if (day < before) back += 1;
    if (day !== before) days.push(day);
    before = day;
  }
  return { fits, back, days: days.join() };
}

/** On iOS the name of a group says what happens in it. Nobody whose every line the app has written is a person. */
function noticeWriters(lines: readonly Line[]): Set<string> {
  const writers = new Set(lines.flatMap(({ from }) => (from === null ? [] : [from])));
  for (const { from, text } of lines)
    if (from !== null && (!text.startsWith('\u200e') || mediaIn(text))) writers.delete(from);
  return writers;
}

function messagesIn(
  lines: readonly Line[],
  order: DateOrder,
  notices: ReadonlySet<string>,
  leftOut: LeftOutList | null,
): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const [index, line] of lines.entries()) {
    const at = stampIn(order, line);
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
    if (media) leftOut?.add('media', media.name || undefined);
    const text = media
      ? [`[Left out${media.name && `: ${media.name}`}]`, media.caption].filter(Boolean).join('\n')
      : line.text;
    messages.push({ at, from: line.from ?? '', text: text.replace(/^[\u200e\u200f]+/, '').trimEnd() });
  }
  return messages;
}

/** What iOS says in place of a picture that was not exported, in the languages that it is most used in. */
const OMITTED =
  /omitted|omitid[ao]|omess[ao]|omis(?:e|es)?$|absente?|ausente|ocult[ao]|weggelassen|ausgelassen|ausgeschlossen|weggelaten|pominięt|utelämna|udelad|utelat|jätetty|опущен|пропущен|vynech|kihagy|dahil edilmedi|جرى استبعاد|تم استبعاد|省略|已忽略|생략/i;

/** The file that a message consists of, and what was written under it; null for other messages. */
function mediaIn(text: string): { name: string; caption: string } | null {
  const [first = '', ...rest] = text.replace(/^[\u200e\u200f]+/, '').split('\n');
  const caption = rest.join('\n').trim();
  const angled = /^<(?:[^<>:]{2,30}: ?)?([^<>]{2,120})>$/.exec(first.trim());
  if (angled) return { name: /\.\w{2,5}$/.test(angled[1] ?? '') ? (angled[1] ?? '').trim() : '', caption };
  const attached = /^\u200e?([^\s/\\][^/\\\n]{0,120}\.[A-Za-z0-9]{2,5}) \([^()\n]{3,60}\)$/.exec(
    first.trim(),
  );
  if (attached) return { name: attached[1] ?? '', caption };
  const omitted = text.startsWith('\u200e') && first.length < 80 && OMITTED.test(first);
  return omitted ? { name: '', caption } : null;
}

/** `WhatsApp Chat with Anna.txt`, `WhatsApp Chat - Anna.zip`, in any language: what follows the word between them. */
function chatName(path: string, zip: string | null): string | null {
  for (const file of [path, zip ?? '']) {
    const name = baseName(file)
      .replace(/[\u200e\u200f]/g, '')
      .replace(/\s*\(\d+\)$/, '')
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
