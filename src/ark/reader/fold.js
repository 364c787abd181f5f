// Texts as they are searched.

/** Those that may be letters with accents, or parts of ones. Quotation marks and dashes, which most texts have, are none. */
const MAY_HAVE_ACCENTS = /[\u00a0-\u2011\u2017\u2024-\uffff]/;

/** Lower case, without accents: “cafe” finds “Café”. @param {string} text */
export function fold(text) {
  const plain = MAY_HAVE_ACCENTS.test(text) ? text.normalize('NFKD').replace(/\p{M}+/gu, '') : text;
  return plain.toLowerCase();
}
