// What an entry is called, where its application gave it no title or a very long one. Pure.

/** The longest title, in characters. */
export const TITLE_MAX = 120;

/** A title of one line, shortened at a word. */
export function shortTitle(text: string, most = TITLE_MAX): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line.slice(0, 8 * most)];
  if (characters.length <= most) return characters.join('');
  const start = characters.slice(0, most - 1).join('');
  const word = start.lastIndexOf(' ');
  // A script without spaces, or one endless word, is cut where it has to be.
  return `${(word > start.length / 2 ? start.slice(0, word) : start).replace(/[\s,;:–—-]+$/, '')}…`;
}

/** The first line that says something, without the marks of Markdown in front of it. */
export function firstWords(content: string): string {
  for (const line of content.slice(0, 20_000).split('\n')) {
    const words = line.replace(/^[\s#>*+-]*(\[[ xX]\]\s*)?/, '').trim();
    if (/[\p{L}\p{N}\p{S}]/u.test(words)) return words;
  }
  return '';
}

/** The heading that a text begins with, and what follows; no title where there is none. */
export function splitHeading(text: string): { title: string; body: string } {
  const heading = /^#{1,6} +(.+)(?:\n+|$)/.exec(text);
  return { title: heading?.[1]?.trim() ?? '', body: text.slice(heading?.[0].length ?? 0).trim() };
}

/** A text without a first line that is its title: that would be said twice. */
export function withoutTitle(text: string, title: string): string {
  const [first = ''] = text.split('\n', 1);
  return first.replace(/^#{1,6} /, '').trim() === title ? text.slice(first.length).trim() : text;
}

/** The name of a file without its folders and its ending. */
export const baseName = (path: string): string =>
  (path.split('/').at(-1) ?? '').replace(
    /\.(txt|text|md|markdown|json|canvas|zip|csv|html?|xhtml|mht|mhtml)$/i,
    '',
  );
