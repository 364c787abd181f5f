// The manifesto as a page shows it, read back from what stands there: a page that was changed on the way says something
// else than its script does.
import type { ScrollSection } from '../../../shared/black-scroll.ts';

const wordsOf = (element: Element | null | undefined): string => element?.textContent ?? '';

/** The sections below an element, in their order (scroll-section.tsx writes them). */
export function shownSections(page: ParentNode): ScrollSection[] {
  return [...page.querySelectorAll<HTMLElement>('[data-numeral]')].map((section) => {
    const numeral = wordsOf(section.querySelector('header > p'));
    const terms = [...section.querySelectorAll('dt')];
    const items = terms.map((term) => ({ name: wordsOf(term), says: wordsOf(term.nextElementSibling) }));
    return {
      numeral,
      title: wordsOf(section.querySelector('h2')).replace(`${numeral}. `, ''),
      paragraphs: [...section.querySelectorAll(':scope > div > p')].map(wordsOf),
      items,
    };
  });
}
