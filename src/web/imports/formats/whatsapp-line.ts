// One line of a WhatsApp export: the date and time in front of it, as phones of any language write them. Pure.

/** Marks of writing direction, which stand anywhere in these lines. */
const M = '[\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]*';
const S = '[ \\u00a0\\u202f\\t]';
const D = '[\\d\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f]';
/** In place of the colon of a time some languages write a full stop. */
const HALF = '[\\p{L}\\u0900-\\u097f.]{1,12}(?:[ \\u00a0\\u202f][\\p{L}.]{1,4})?';

const HEAD = new RegExp(
  [
    `^${M}(\\[)?${M}`,
    `(${D}{1,4})${M}([./-]|年|년)${S}?${M}(${D}{1,2})${M}(?:[./-]|月|월)${S}?${M}(${D}{1,4})${M}(?:日|일|\\.)?`,
    `(?:[,،]?${S}+|[,،])(?:(?:à|às|klo|kl\\.?|um|at|o|в|a las)${S}+)?${M}`,
    `(?:(${HALF})${S}?)?`,
    `(${D}{1,2})[:.](${D}{2})(?:[:.](${D}{2}))?${M}`,
    `(?:${S}?(${HALF}))?${M}`,
    `(?:\\]${S}?|${S}+[-–]${S}|,${S}|:${S})${M}`,
  ].join(''),
  'u',
);

/** The numbers of a line's date in their order, its time, and what follows. */
export interface Head {
  date: [number, number, number];
  /** How many digits the first and the last number have. */
  digits: [number, number];
  /** What stands between them. */
  separator: string;
  hour: number;
  minute: number;
  /** Whether the time says which half of the day it means. */
  halves: boolean;
  rest: string;
}

const ZEROS = [0x660, 0x6f0, 0x966];

const numberOf = (digits: string) =>
  Number(
    digits.replace(/\D/g, (digit) => {
      const code = digit.charCodeAt(0);
      const zero = ZEROS.find((first) => code >= first && code <= first + 9) ?? code;
      return String(code - zero);
    }),
  );

/** Afternoon, in the languages that write it by other letters than `pm`. */
const AFTERNOON = /^(?:p|م|ب|بعد|μ|nachm|du|下午|午後|오후|晚上|中午|ös|अपराह्न)/i;

/** Nothing longer begins a line. */
const HEAD_MAX = 90;

/** The head of a line that begins a message; null for one that goes on. */
export function readHead(line: string): Head | null {
  const match = HEAD.exec(line.length > HEAD_MAX ? line.slice(0, HEAD_MAX) : line);
  if (!match) return null;
  const [
    whole,
    ,
    first = '',
    separator = '',
    second = '',
    third = '',
    before,
    hours = '',
    minutes = '',
    ,
    after,
  ] = match;
  const half = (before ?? after ?? '').replace(/[.\s\u00a0\u202f]/g, '');
  const clock = numberOf(hours);
  const minute = numberOf(minutes);
  if (clock > 24 || minute > 59 || (half !== '' && clock > 12 && before !== undefined)) return null;
  const hour = half === '' || clock > 12 ? clock % 24 : (clock % 12) + (AFTERNOON.test(half) ? 12 : 0);
  return {
    date: [numberOf(first), numberOf(second), numberOf(third)],
    digits: [first.length, third.length],
    separator,
    hour,
    minute,
    halves: half !== '',
    // The mark in front of a text says that the app has written it.
    rest: line.slice(whole.length - (/\u200e+$/.exec(whole)?.[0].length ?? 0)),
  };
}
