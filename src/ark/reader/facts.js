// What the vault has said in English of an entry, or of what is not in here, in the language of the page.
import { dayOf, happened } from './dates.js';
import { catalogueNow, inLanguage } from './language.js';

/** What recognises the sentences of a catalogue in which something stands for others. @type {WeakMap<object, {sentence: string, beginning: string, pattern: RegExp}[]>} */
const known = new WeakMap();

/** A date ends where the sentence goes on; anything else may have in it what the sentence has, and goes as far as it can. */
const VALUE = '(\\d{4}-\\d\\d-\\d\\d(?:T[\\d:.]+Z)?|.+)';

/** @param {import('./language.js').Catalogue} catalogue */
function patternsOf(catalogue) {
  const patterns = Object.keys(catalogue).flatMap((sentence) => {
    const parts = sentence.split(/\{\d\}/);
    const [beginning] = parts;
    if (parts.length < 2 || !beginning) return [];
    const escaped = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return [{ sentence, beginning, pattern: new RegExp(`^${escaped.join(VALUE)}$`, 's') }];
  });
  known.set(catalogue, patterns);
  return patterns;
}

/** Days as they are read, where a value is nothing else. @param {string} value */
function readable(value) {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return happened(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? dayOf(value) : value;
}

/** @param {string} english @returns {string} */
export function translateFact(english) {
  const catalogue = catalogueNow();
  if (typeof catalogue[english] === 'string') return inLanguage(english, []);
  for (const { sentence, beginning, pattern } of known.get(catalogue) ?? patternsOf(catalogue)) {
    // Most are another sentence, which this tells sooner.
    if (!english.startsWith(beginning)) continue;
    const [, ...values] = pattern.exec(english) ?? [];
    if (values.length > 0) return inLanguage(sentence, values.map(readable));
  }
  return english;
}
