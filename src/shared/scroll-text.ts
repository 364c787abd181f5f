// The manifesto as the plain text that is signed and downloaded. The same sections give the same bytes, always.
import { type ScrollSection, sections } from './black-scroll.ts';
import { centre, wrap } from './plain-text.ts';

const RULE = centre('* * *');
const INDENT = '    ';

/** @returns UTF-8 text in lines of at most `LINE_WIDTH` characters, without spaces at their ends */
export function scrollText(of: readonly ScrollSection[] = sections): string {
  const head = [centre('B L A C K   S C R O L L   0 0 1'), centre('LATEBRA')].join('\n');
  return `${[head, ...of.map(sectionText), RULE].join('\n\n\n')}\n`;
}

function sectionText({ numeral, title, paragraphs, items = [] }: ScrollSection): string {
  return [
    centre(`${numeral}.  ${title.toUpperCase()}`),
    ...paragraphs.map((paragraph) => wrap(paragraph)),
    ...items.map(({ name, says }) => `  ${name}\n${wrap(says, { indent: INDENT })}`),
  ].join('\n\n');
}
