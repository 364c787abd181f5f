// The manifesto as a page shows it, read back from what stands there: a page that was changed on the way says something
// else than its script does.
import type { ScrollSection } from '../../../shared/black-scroll.ts';

const wordsOf = (element: Node | null | undefined): string => element?.textContent ?? '';

/** The sections below an element, in their order (scroll-section.tsx writes them). */
export function shownSections(page: ParentNode): ScrollSection[] {
  const sections = [...page.querySelectorAll<HTMLElement>('[data-numeral]')];
  return sections.map((section, index) => {
    const numeral = wordsOf(section.querySelector('header > p'));
    const terms = [...section.querySelectorAll('dt')];
    const items = terms.map((term) => ({ name: wordsOf(term), says: wordsOf(term.nextElementSibling) }));
    const heading = wordsOf(section.querySelector('h2'));
    const paragraphs = [...section.querySelectorAll(':scope > div > p')].map(wordsOf);
    const read = [numeral, heading, ...paragraphs, ...items.flatMap(({ name, says }) => [name, says])].join(
      '',
    );
    // Words in any other place are on the page as well.
    const others = [
      wordsOf(section) === read ? '' : wordsOf(section),
      wordsBetween(section, sections[index + 1]),
    ];
    return {
      numeral,
      title: heading.replace(`${numeral}. `, ''),
      paragraphs: [...paragraphs, ...others.filter((words) => words.trim() !== '')],
      items,
    };
  });
}

/** What stands between a section and the one after it; nothing after the last, where the rest of the page begins. */
function wordsBetween(section: Element, next: Element | undefined): string {
  let words = '';
  for (let node = next && section.nextSibling; node && node !== next; node = node.nextSibling)
    words += wordsOf(node);
  return words;
}
