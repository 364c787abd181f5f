// Dates as people and applications write them, `31 December 2023`, `2023/12/31 23:59`, `le 3 juin 2024 à 10:12`. A text
// that is more than a date is none, and one that could be two days is none either. Pure, but for the time zone of this
// device where an instant is written.
import { isEdtf } from '../../shared/edtf.ts';
import { hourOfDay } from './formats/day-periods.ts';
import { momentHere, monthOf, stampOf } from './local-times.ts';

/** A date that is written somewhere, and its instant where the text says it. */
export interface WrittenDate {
  happenedOn: string;
  instant?: number;
}

/** Nothing longer is a date. */
const DATE_MAX = 80;

/** The date that a text consists of; of a range its beginning; null for any other text. */
export function readWritten(text: string): WrittenDate | null {
  if (text.length > DATE_MAX || !/\d/.test(text)) return null;
  const value = (text.split(/→|\s–\s/)[0] ?? '')
    .normalize('NFC')
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .replace(/ ?\([^)]*\) ?$/, '')
    .replace(/^[@"'\s]+|["'\s]+$/g, '');
  return inUtc(value) ?? plain(value);
}

/**
 * The date that a text consists of, also a month, a season or a year alone, or about then: for what is called a date. Elsewhere
 * a year may be anything.
 */
export function readSaidDate(text: string): WrittenDate | null {
  const exact = readWritten(text);
  if (exact || text.length > DATE_MAX) return exact;
  const [, about, bare = ''] =
    /^["'\s]*(about |around |approximately |approx\. ?|circa |ca?\. ?|~ ?)?(.*?)["'\s]*$/i.exec(text) ?? [];
  const isAbout = about !== undefined || /[~?]$/.test(bare);
  const day = isAbout ? readWritten(bare.replace(/[~?]$/, ''))?.happenedOn.slice(0, 10) : null;
  const edtf = day ?? monthOrYear(bare.replace(/[~?]$/, '').trim());
  const happenedOn = edtf && `${edtf}${isAbout ? '~' : ''}`;
  return isEdtf(happenedOn) ? { happenedOn } : null;
}

const SEASONS = ['spring', 'summer', 'autumn', 'winter'];

/** `2019-05`, `05/2019`, `May 2019`, `summer of 1962`, `1962-22`, `1962`: as EDTF has them. */
function monthOrYear(text: string): string | null {
  if (/^\d{4}(?:-\d\d)?$/.test(text)) return text;
  const [, month = '', year = ''] = /^(\d\d?)[./](\d{4})$/.exec(text) ?? [];
  if (year) return `${year}-${month.padStart(2, '0')}`;
  const words = text
    .toLowerCase()
    .split(/[\s,.]+/)
    .filter((word) => word !== '' && !FILLERS.has(word));
  const years = words.filter((word) => /^\d{4}$/.test(word));
  const [name = ''] = words.filter((word) => !/^\d{4}$/.test(word));
  if (words.length !== 2 || years.length !== 1) return null;
  const season = SEASONS.indexOf(name === 'fall' ? 'autumn' : name);
  if (season >= 0) return `${years[0]}-${21 + season}`;
  const number = monthNamed(name);
  return number === 0 ? null : `${years[0]}-${String(number).padStart(2, '0')}`;
}

/** Whether a text with a date says more than where that begins: the end of a range, or a remark that is no time zone. */
export const saysMore = (text: string): boolean =>
  /→|\s–\s/.test(text) || /\((?!(?:UTC|GMT|[A-Z]{3,5})? ?(?:[+-]\d\d?(?::?\d\d)?)?\))[^)]*\)\s*$/.test(text);

const plain = (value: string): WrittenDate | null => {
  const { rest, hour, minute } = splitTime(value);
  const day = dayOf(rest);
  if (day === null) return null;
  const stamp = stampOf(...day, hour, minute);
  return stamp === null ? null : { happenedOn: stamp };
};

/** What ends in `Z` is an instant, shown by this device's clock; but midnight itself is how programs write a day. */
function inUtc(value: string): WrittenDate | null {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)? ?(?:Z|UTC)$/i.exec(value);
  if (!match) return null;
  const [, day = '', minutes = '', seconds = ''] = match;
  if (minutes === '00:00' && /^[:0.,]*$/.test(seconds)) return plain(day);
  const { happenedOn, instant } = momentHere(
    Date.parse(`${day}T${minutes}${(seconds || ':00').slice(0, 3)}Z`),
  );
  return happenedOn === null || instant === undefined ? null : { happenedOn, instant };
}

const HALF = "\\p{L}[\\p{L}\\p{M}.'’״ ]{0,14}?";
const ZONE = '(?: ?(?:Z|UTC|GMT|[A-Z]{3,5})?(?: ?[+-]\\d\\d?(?::?\\d\\d)?)?)';
const MINUTES = '(?:[:.]| ?h ?)(?<minutes>\\d\\d)(?:[:.]\\d\\d(?:[.,]\\d+)?)?';
/** `at 23:59:00 CEST`, `11:59 p. m.`, `下午11:59`, and `11 pm`. */
const TIMES = [
  new RegExp(
    `[ ,T](?:(?<before>${HALF}) ?)?(?<hours>\\d{1,2})${MINUTES}(?: ?(?<after>${HALF}))??${ZONE}$`,
    'u',
  ),
  new RegExp(`[ ,](?<hours>\\d{1,2}) ?(?<after>[ap]\\.?m\\.?)${ZONE}$`, 'iu'),
];

/** The time at the end of a text, and what stands before it. */
function splitTime(value: string): { rest: string; hour?: number; minute?: number } {
  const match = TIMES.map((time) => time.exec(value)).find((found) => found !== null);
  const { before = '', hours = '', minutes = '0', after = '' } = match?.groups ?? {};
  const rest = value.slice(0, match?.index).replace(/[ ,]+$/, '');
  const clock = Number(hours);
  if (!match || clock > 24 || !/\d/.test(rest)) return { rest: value };
  const half = [after, before].find((word) => word !== '' && hourOfDay(clock, word) !== null);
  // Behind a time there may also stand the name of a zone, in front of it a word such as `at`. Others are not guessed.
  if (after !== '' && half !== after && !/^[A-Z]{2,5}$/.test(after)) return { rest: value };
  return {
    rest: half === before ? rest : `${rest} ${before}`.trim(),
    hour: half === undefined ? clock % 24 : (hourOfDay(clock, half) ?? 0),
    minute: Number(minutes),
  };
}

type Day = [year: number, month: number, day: number];

function dayOf(text: string): Day | null {
  return inNumbers(text) ?? inWords(text);
}

function inNumbers(text: string): Day | null {
  const yearFirst =
    /^(\d{4})([-/.])(\d\d?)\2(\d\d?)$/.exec(text) ??
    /^(\d{4})()(\d\d)(\d\d)$/.exec(text) ??
    /^(\d{4})(년|年) ?(\d\d?)[月월] ?(\d\d?)[日일]$/.exec(text);
  if (yearFirst) return [Number(yearFirst[1]), Number(yearFirst[3]), Number(yearFirst[4])];
  const yearLast = /^(\d\d?)([-/]|\. ?)(\d\d?)\2(\d{4})\.?$/.exec(text);
  if (!yearLast) return null;
  const [first, second, year] = [Number(yearLast[1]), Number(yearLast[3]), Number(yearLast[4])];
  // With full stops the day comes first everywhere. Otherwise one of them has to tell by itself.
  if (yearLast[2]?.startsWith('.') || first > 12 || first === second) return [year, second, first];
  return second > 12 ? [year, first, second] : null;
}

/** Words that may stand in a date and say nothing. */
const FILLERS = new Set(
  'at the of on le the du de del à a um o ob kl klo às ás alle il el en den der dne w dnia в г od dia pada vào ngày'.split(
    ' ',
  ),
);

function inWords(text: string): Day | null {
  let [year, month, day] = [0, 0, 0];
  const words = text
    .toLowerCase()
    .split(/[\s,،、/-]+/)
    .map((word) => word.replace(/^(\d+)(?:st|nd|rd|th|er|º|ª|ième|\.)$/, '$1'))
    .filter(Boolean);
  for (const word of words) {
    if (/^\d{4}\.?$/.test(word) && year === 0) year = Number.parseInt(word, 10);
    else if (/^\d{1,2}$/.test(word) && day === 0) day = Number(word);
    else if (monthNamed(word) > 0 && month === 0) month = monthNamed(word);
    else if (!FILLERS.has(plainWord(word)) && !isWeekday(word)) return null;
  }
  return year > 0 && month > 0 && day > 0 ? [year, month, day] : null;
}

/** Languages whose names of months are known, besides English. */
const LANGUAGES =
  'de fr es it pt nl pl cs sk sl hr sr ru uk be bg mk da sv nb fi et lv lt hu ro el tr id ms ca gl eu is ga af sq az kk uz vi sw he ar fa hi bn mr gu ta te th fil'.split(
    ' ',
  );

const plainWord = (word: string) => word.normalize('NFC').toLowerCase().replace(/\.$/, '');

function monthNamed(word: string): number {
  const name = plainWord(word);
  return /^\P{L}/u.test(name) ? 0 : monthOf(name) || (names().months.get(name) ?? 0);
}

const ENGLISH_DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');

function isWeekday(word: string): boolean {
  const name = plainWord(word);
  if (name.length >= 3 && ENGLISH_DAYS.some((day) => day.startsWith(name))) return true;
  return /^\p{L}/u.test(name) && names().weekdays.has(name);
}

let found: { months: ReadonlyMap<string, number>; weekdays: ReadonlySet<string> } | null = null;

/** The names in other languages, made when the first of them is asked for; a name that means two months is none. */
function names() {
  if (found) return found;
  const months = new Map<string, number>();
  const weekdays = new Set<string>();
  for (const language of LANGUAGES) {
    for (const style of ['long', 'short'] as const) {
      const options = { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' } as const;
      const clocks = [
        new Intl.DateTimeFormat(language, { ...options, month: style, day: 'numeric', weekday: style }),
        new Intl.DateTimeFormat(language, { ...options, month: style }),
      ];
      for (const clock of clocks)
        for (let month = 1; month <= 12; month += 1)
          // Every 32 days: each month once, and each day of the week.
          for (const { type, value } of clock.formatToParts(Date.UTC(2023, 0, 32 * month - 31))) {
            const name = plainWord(value);
            if (type === 'weekday') weekdays.add(name);
            else if (type === 'month' && /^\p{L}/u.test(name))
              months.set(name, months.has(name) && months.get(name) !== month ? 0 : month);
          }
    }
  }
  found = { months, weekdays };
  return found;
}
