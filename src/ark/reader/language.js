// The language of the page. Where something is said it stands in English; a catalogue has it in another language, by its English.
// Words that stand for others, such as {0}, are put in; what speaks of a number has a form for each plural of its language (CLDR).

/** @typedef {Record<string, string | Record<string, string>>} Catalogue */

const spoken = {
  code: 'en',
  /** @type {Catalogue} */
  catalogue: {},
  plurals: new Intl.PluralRules('en'),
  /** What recognises the sentences of the catalogue in which something stands for others. @type {{sentence: string, beginning: string, pattern: RegExp}[]} */
  patterns: [],
};

/** From here on the page speaks this language. @param {string} code BCP 47 @param {Catalogue} catalogue */
export function speak(code, catalogue) {
  const patterns = Object.keys(catalogue).flatMap((sentence) => {
    const parts = sentence.split(/\{\d\}/);
    const [beginning] = parts;
    if (parts.length < 2 || !beginning) return [];
    const escaped = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return [{ sentence, beginning, pattern: new RegExp(`^${escaped.join('(.+?)')}$`, 's') }];
  });
  Object.assign(spoken, { code, catalogue, patterns, plurals: new Intl.PluralRules(code) });
}

/** BCP 47, of dates and lists: English is written here as in Britain. */
export const localeOf = () => (spoken.code === 'en' ? 'en-GB' : spoken.code);

/** Of the languages that somebody wants, the first that there is. @param {readonly string[]} wanted @param {readonly string[]} all */
export function bestLanguage(wanted, all) {
  const codes = wanted.map((one) => one.toLowerCase().split('-')[0] ?? '');
  return codes.find((code) => all.includes(code)) ?? 'en';
}

/**
 * What is said here in English, in the language of the page.
 * @param {import('./sentences.d.ts').Sentence} english @param {...(string | number)} values the first decides on the plural
 */
export const translate = (english, ...values) => inLanguage(english, values);

/** @param {string} english @param {readonly (string | number)[]} values */
function inLanguage(english, values) {
  const said = Object.hasOwn(spoken.catalogue, english) ? spoken.catalogue[english] : english;
  const form =
    typeof said === 'string' ? said : (said[spoken.plurals.select(Number(values[0]))] ?? said.other);
  return form.replace(/\{(\d)\}/g, (all, place) => String(values[place] ?? all));
}

/** What the vault has said in English of an entry, or of what is not in here. @param {string} english @returns {string} */
export function translateFact(english) {
  if (spoken.code === 'en') return english;
  if (Object.hasOwn(spoken.catalogue, english)) return inLanguage(english, []);
  for (const { sentence, beginning, pattern } of spoken.patterns) {
    // Most are another sentence, which this tells sooner.
    if (!english.startsWith(beginning)) continue;
    const [, ...values] = pattern.exec(english) ?? [];
    if (values.length > 0) return inLanguage(sentence, values);
  }
  return english;
}

/** Every text of the page, and every label of an element, as it is in English. @type {Map<Node | Element, string>} */
const texts = new Map();

/** Says what stands in the page in its language. What is added later is said so by whoever adds it. @param {Document} page */
export function translatePage(page) {
  if (texts.size === 0) {
    const walker = page.createTreeWalker(page.documentElement, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { nodeValue, parentElement } = walker.currentNode;
      if (nodeValue?.trim() && !/^(?:SCRIPT|STYLE|NOSCRIPT|OPTION)$/.test(parentElement?.tagName ?? ''))
        texts.set(walker.currentNode, nodeValue.trim());
    }
    for (const element of page.querySelectorAll('[aria-label]'))
      texts.set(element, element.getAttribute('aria-label') ?? '');
  }
  page.documentElement.lang = spoken.code;
  for (const [node, english] of texts)
    if ('tagName' in node) node.setAttribute('aria-label', inLanguage(english, []));
    else node.nodeValue = inLanguage(english, []);
}
