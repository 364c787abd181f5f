// Dates as they are read. What happened may be known to a minute, a day, a month, a season or a year, or about so (EDTF).
import { fold } from './fold.js';
import { localeOf, translate } from './language.js';

/** @type {((year: string) => string)[]} */
const SEASONS = [
  (year) => translate('spring {0}', year),
  (year) => translate('summer {0}', year),
  (year) => translate('autumn {0}', year),
  (year) => translate('winter {0}', year),
];

/** What writes dates, of which making one takes long. @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** @param {Date} date @param {boolean} hasDay @param {string} [timeZone] the reader's own without it */
function written(date, hasDay, timeZone) {
  const name = [localeOf(), hasDay, timeZone].join();
  const format =
    formats.get(name) ??
    new Intl.DateTimeFormat(localeOf(), {
      ...{ day: hasDay ? 'numeric' : undefined, month: 'long', year: 'numeric', timeZone },
    });
  formats.set(name, format);
  return format.format(date);
}

/** By language: all that can stand in a date but numbers. @type {Map<string, string>} */
const wordsOfDates = new Map();

/** Whether a folded word can stand in a date: few can, and dates take long to make. @param {string} word */
export function mayBeInDate(word) {
  const months = Array.from({ length: 12 }, (_, month) => `2000-${String(month + 1).padStart(2, '0')}`);
  const words =
    wordsOfDates.get(localeOf()) ??
    [...months, ...months.map((month) => `${month}-01`), '2000-21~', '2000-22', '2000-23', '2000-24']
      .map((day) => fold(happened(day)).toLowerCase())
      .join(' ');
  wordsOfDates.set(localeOf(), words);
  return /\d/.test(word) || words.includes(word.toLowerCase());
}

/** A moment as the day that it has here. @param {string} moment ISO 8601 */
export function dayOf(moment) {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? moment : written(date, true);
}

/** `1962-22~` is “about summer 1962”. @param {string} happenedOn */
export function happened(happenedOn) {
  const [, year, part, day, time, about] =
    /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d:\d\d))?)?)?(~?)$/.exec(happenedOn) ?? [];
  if (!year) return happenedOn;
  const season = SEASONS[Number(part) - 21];
  const date = new Date(`${year}-${part ?? '01'}-${day ?? '01'}T00:00Z`);
  // A day that no calendar has would be read as another one.
  if (!season && (Number.isNaN(date.getTime()) || (day && date.getUTCDate() !== Number(day))))
    return happenedOn;
  const when = season ? season(year) : part ? written(date, Boolean(day), 'UTC') : year;
  const words = time ? `${when}, ${time}` : when;
  return about ? translate('about {0}', words) : words;
}
