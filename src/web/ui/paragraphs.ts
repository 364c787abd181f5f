// How plain text becomes paragraphs on a page. It must lose nothing but blank lines at the edges and between
// paragraphs: line breaks and indents inside a paragraph are somebody's verse.

/** The look of a text that is read, and of a paragraph in it. */
export const RUNNING_TEXT = 'running-text grid gap-[1em] text-read';
export const PARAGRAPH = 'min-w-0 whitespace-pre-wrap wrap-anywhere';

/** Splits plain text at blank lines; line breaks within a paragraph are kept. */
export function splitParagraphs(text: string): string[] {
  return text
    .replace(/\r\n?|\u2028/g, '\n')
    .replace(/\u2029/g, '\n\n')
    .split(/\n(?:[^\S\n]*\n)+/)
    .map((paragraph) => paragraph.replace(/^(?:[^\S\n]*\n)+|\s+$/g, ''))
    .filter((paragraph) => paragraph.trim() !== '');
}

const initial = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/**
 * Whether a first paragraph can carry a drop capital: it begins with a letter of a script whose letters stand alone,
 * and is long enough, or has lines enough, for the capital to have something to stand beside.
 */
export function takesDropCapital(paragraph: string): boolean {
  if (!initial.test(paragraph)) return false;
  return paragraph.length >= 90 || (paragraph.match(/\n/g)?.length ?? 0) >= 2;
}
