// The language of the page. Where something is said it stands in English; a catalogue has it in another language, by its English.
// Words that stand for others, such as {0}, are put in; what speaks of a number has a form for each plural of its language (CLDR).

/** @typedef {Record<string, string | Record<string, string>>} Catalogue */

const spoken = {
  code: 'en',
  /** @type {Catalogue} */
  catalogue: {},
  plurals: pluralsOf('en'),
};

/** Which plural a number has. A browser that knows of none is taken to have those of English. @param {string} code */
function pluralsOf(code) {
  if (Intl.PluralRules) return new Intl.PluralRules(code);
  return { select: (/** @type {number} */ count) => (count === 1 ? 'one' : 'other') };
}

/** From here on the page speaks this language. @param {string} code BCP 47 @param {Catalogue} catalogue */
export function speak(code, catalogue) {
  Object.assign(spoken, { code, catalogue, plurals: pluralsOf(code) });
}

export const catalogueNow = () => spoken.catalogue;

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

/** The same of a sentence that was read. @param {string} english @param {readonly (string | number)[]} values */
export function inLanguage(english, values) {
  const said = spoken.catalogue[english] ?? english;
  const form =
    typeof said === 'string' ? said : (said[spoken.plurals.select(Number(values[0]))] ?? said.other);
  return form.replace(/\{(\d)\}/g, (all, place) => String(values[place] ?? all));
}

/** “1, 2 and 5”, or “1, 2 or 5”. @param {readonly string[]} texts @param {'conjunction' | 'disjunction'} type */
export const listed = (texts, type) =>
  Intl.ListFormat ? new Intl.ListFormat(localeOf(), { type }).format(texts) : texts.join(', ');

/** Every text of the page, and every label of an element, as it is in English. @type {Map<Node | Element, string>} */
const texts = new Map();

/**
 * Says what stands in the page in its language. What is added later is said so by whoever adds it.
 * @param {Document} page @param {readonly Catalogue[]} all a page that was saved as it stood speaks one of these
 */
export function translatePage(page, all) {
  if (texts.size === 0) {
    const english = new Map(
      all.flatMap((one) => Object.entries(one).map(([sentence, said]) => [said, sentence])),
    );
    /** @param {Node | Element} node @param {string | null} text */
    const take = (node, text) => text?.trim() && texts.set(node, english.get(text.trim()) ?? text.trim());
    const walker = page.createTreeWalker(page.documentElement, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement } = walker.currentNode;
      if (!/^(?:SCRIPT|STYLE|NOSCRIPT|OPTION)$/.test(parentElement?.tagName ?? ''))
        take(walker.currentNode, walker.currentNode.nodeValue);
    }
    for (const element of page.querySelectorAll('[aria-label]'))
      take(element, element.getAttribute('aria-label'));
  }
  page.documentElement.lang = spoken.code;
  for (const [node, english] of texts)
    if ('tagName' in node) node.setAttribute('aria-label', inLanguage(english, []));
    else node.nodeValue = inLanguage(english, []);
}
