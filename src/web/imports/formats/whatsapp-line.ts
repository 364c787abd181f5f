// One line of a WhatsApp export: the date and time in front of it, as phones of any language write them. Pure.
import { hourOfDay } from './day-periods.ts';

/** The numbers of a line's date in their order, its time, and what follows. */
export interface Head {
  date: [number, number, number];
  /** How many digits the first and the last number have. */
  digits: [number, number];
  /** What stands between them. */
  separator: string;
  /** Whether a year of two digits may come first: a few languages write `23. 12. 31.` or `२३/१२/३१`. */
  shortYearFirst: boolean;
  hour: number;
  minute: number;
  /** Whether the time says which half of the day it means. */
  halves: boolean;
  rest: string;
}

/** Marks of writing direction and joiners, which stand anywhere in these lines. */
const MARKS = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;
const SPACES = /[\s\u00a0\u202f]/g;

const NUMBERS = '(?:AP |AH )?(\\d{1,4})( ?[./-] ?|[年년] ?)(\\d{1,2})(?: ?[./-] ?|[月월] ?)(\\d{1,4})';
/** What some languages put behind a date: a full stop, a word for day or year, an era. */
const DATE = `${NUMBERS}(?:[日일]|\\.)?(?: ?[гжй]\\.)?(?: (?:AP|AH|هـ|ه|ش)\\.?)?`;
const HALF = '(\\p{L}[\\p{L}\\p{M}.\'’"״׳ ]{0,20}?)';
/** Hours and minutes; French of Canada writes `15 h 07 min 09 s`, Bulgarian a word for hour behind it. */
const CLOCK =
  '(\\d{1,2})(?:[:.]| ?h ?)(\\d{1,2})(?:(?:[:.]| ?min ?)\\d{1,2}(?: ?s\\b)?)?(?: ?(?:ч\\.|Uhr\\b|h\\b))?';
const TIME = `(?:${HALF} ?)?${CLOCK}(?: ?${HALF})?`;
/** What stands between date and time. */
const BETWEEN = '(?:[,،]? +|[,،])(?:(?:à|às|ás|klo|kl\\.?|um|at|o|u|в|a las|ob|lúc|pukul|saat) +)?\\(?';
const END = '\\)?(?:\\] ?| +[-–] |, |: )';

const DATE_FIRST = new RegExp(`^\\[? ?${DATE}${BETWEEN}${TIME}${END}`, 'iu');
/** Vietnamese. */
const TIME_FIRST = new RegExp(`^\\[? ?${TIME},? +${DATE}${END}`, 'iu');

/** The first digit of each script that phones count in. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
  0xf20, 0x1040, 0x17e0, 0x1810, 0xff10,
];
const DEVANAGARI = /[\u0966-\u096f]/;

const plainDigit = (digit: string) => {
  const code = digit.charCodeAt(0);
  const zero = ZEROS.find((first) => code >= first && code <= first + 9);
  return zero === undefined ? digit : String(code - zero);
};

/** Nothing longer begins a line. */
const HEAD_MAX = 90;

/** The head of a line that begins a message; null for one that goes on. */
export function readHead(line: string): Head | null {
  const start = line.length > HEAD_MAX ? line.slice(0, HEAD_MAX) : line;
  // Most lines that go on are sorted out by this.
  if (!/^(?:\P{L}*\p{Nd}|\P{L}*A[PH] )/u.test(start)) return null;
  const plain = [...start]
    .filter((character) => !MARKS.test(character))
    .join('')
    .replace(SPACES, ' ')
    .replace(/\p{Nd}/gu, plainDigit);
  const match = DATE_FIRST.exec(plain);
  const found = match ? dateFirst(match) : timeFirst(TIME_FIRST.exec(plain));
  if (!found) return null;
  const { date, before, hours, minutes, after } = found;
  const half = before || after;
  const [clock, minute] = [Number(hours), Number(minutes)];
  if (clock > 24 || minute > 59 || (before !== '' && clock > 12)) return null;
  const hour = half === '' ? clock % 24 : hourOfDay(clock, half);
  if (hour === null) return null;
  const [first = '', separator = '', second = '', third = ''] = date;
  return {
    date: [Number(first), Number(second), Number(third)],
    digits: [first.length, third.length],
    separator: separator.trim(),
    shortYearFirst: separator.includes(' ') || found.whole.includes('(') || DEVANAGARI.test(start),
    hour,
    minute,
    halves: half !== '',
    rest: restAfter(line, found.whole.length),
  };
}

interface Found {
  whole: string;
  date: string[];
  before: string;
  hours: string;
  minutes: string;
  after: string;
}

const dateFirst = ([
  whole,
  a = '',
  b = '',
  c = '',
  d = '',
  before = '',
  hours = '',
  minutes = '',
  after = '',
]: string[]): Found => ({
  whole: whole ?? '',
  date: [a, b, c, d],
  before,
  hours,
  minutes,
  after,
});

function timeFirst(match: string[] | null): Found | null {
  if (!match) return null;
  const [whole = '', before = '', hours = '', minutes = '', after = '', ...date] = match;
  return { whole, date, before, hours, minutes, after };
}

/** What follows so many characters that are no marks, with the marks in front of it: they say that the app has written it. */
function restAfter(line: string, length: number): string {
  let left = length;
  for (let at = 0; at < line.length; at += 1) {
    if (left === 0) return line.slice(at);
    if (!MARKS.test(line.charAt(at))) left -= 1;
  }
  return '';
}
