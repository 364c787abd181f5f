// Texts as they are searched.

/** Those that may be letters with accents, or parts of ones. Quotation marks and dashes, which most texts have, are none. */
const MAY_HAVE_ACCENTS = /[\u00a0-\u2011\u2017\u2024-\uffff]/;

/** Without accents, and then in lower case: what has none is as it was, since copying a large vault takes long. @param {string} text */
export function fold(text) {
  if (!MAY_HAVE_ACCENTS.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** What finds a folded word in folded texts, in either case: “cafe” finds “Café”. @param {string} word */
export const finderOf = (word) => new RegExp(word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
