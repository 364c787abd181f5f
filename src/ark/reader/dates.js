// Dates as they are read. What happened may be known to a minute, a day, a month, a season or a year, or about so (EDTF).

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const SEASONS = ['spring', 'summer', 'autumn', 'winter'];

const WORDS_OF_DATES = ['about', ...MONTHS, ...SEASONS].join(' ').toLowerCase();

/** Whether a word can stand in a date: few can, and dates take long to make. @param {string} word */
export const mayBeInDate = (word) => /\d/.test(word) || WORDS_OF_DATES.includes(word.toLowerCase());

/** A moment as the day that it has here. @param {string} moment ISO 8601 */
export function dayOf(moment) {
  const date = new Date(moment);
  return Number.isNaN(date.getTime())
    ? moment
    : `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** `1962-22~` is “about summer 1962”. @param {string} happenedOn */
export function happened(happenedOn) {
  const [, year, part, day, time, about] =
    /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d:\d\d))?)?)?(~?)$/.exec(happenedOn) ?? [];
  if (!year) return happenedOn;
  const month = part && (Number(part) > 20 ? SEASONS[Number(part) - 21] : MONTHS[Number(part) - 1]);
  const words = [day && Number(day), month, time ? `${year}, ${time}` : year].filter(Boolean).join(' ');
  return about ? `about ${words}` : words;
}
