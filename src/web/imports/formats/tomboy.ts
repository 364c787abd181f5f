// Tomboy and Gnote: one file of XML for each note (wiki.gnome.org, "Tomboy/NoteXmlFormat"). Pure.
import type { LeftOutList, ParsedEntry } from '../imported-entry.ts';
import { momentHere, readMoment } from '../local-times.ts';
import { elementsIn, type MarkupNode, parseMarkup, rawText } from '../markup/parse-markup.ts';

export const isTomboy = (text: string): boolean =>
  /^[\s\ufeff]*(?:<\?xml[^>]*>\s*)?<note\b[^>]*xmlns="http:\/\/beatniksoftware\.com\/tomboy"/.test(
    text.slice(0, 2000),
  );

/** The note of a file; templates of notebooks are left out. @param path of the file, whose name is the note's number */
export function parseTomboy(path: string, text: string, leftOut: LeftOutList): ParsedEntry[] {
  const note = parseMarkup(text, { xml: true });
  const named = (name: string) => elementsIn(note, (element) => element.name === name);
  const said = (name: string) => named(name).slice(0, 1).map(rawText).join('').trim();
  const tags = named('tag').map((tag) => rawText(tag).trim());
  const title = said('title');
  if (tags.includes('system:template')) {
    leftOut.add('other-file', path);
    return [];
  }
  const content = (named('note-content')[0]?.children ?? []).map(markdownOf).join('');
  return [
    {
      format: 'tomboy',
      title,
      content: withoutTitle(content, title),
      ...momentHere(momentOf(said('create-date')) ?? momentOf(said('last-change-date'))),
      tags: tags.flatMap(
        (tag) => /^system:notebook:(.+)/.exec(tag)?.[1] ?? (tag.startsWith('system:') ? [] : tag),
      ),
      sourceId: /([0-9a-f-]{36})\.note$/i.exec(path)?.[1]?.toLowerCase() ?? null,
    },
  ];
}

/** Seconds have up to seven digits behind a point or a comma. */
const momentOf = (date: string) => readMoment(date.replace(/[.,]\d+/, ''));

/** The first line of a note is its title once more. */
function withoutTitle(content: string, title: string): string {
  const text = content.replace(/\n{3,}/g, '\n\n').trim();
  const [first = ''] = text.split('\n', 1);
  return first.trim() === title ? text.slice(first.length).trim() : text;
}

const MARKS = new Map([
  ['bold', '**'],
  ['italic', '*'],
  ['strikethrough', '~~'],
  ['monospace', '`'],
  ['highlight', '=='],
]);

function markdownOf(node: MarkupNode): string {
  if (typeof node === 'string') return node;
  const inside = node.children.map(markdownOf).join('');
  if (node.name === 'list-item') return `- ${inside.trim().replace(/\n+/g, '\n  ')}\n`;
  if (node.name === 'list') return `\n${inside}`;
  if (node.name === 'size:huge' || node.name === 'size:large')
    return headings(inside, node.name === 'size:huge' ? '##' : '###');
  return marked(inside, MARKS.get(node.name) ?? '');
}

/** Text of a large size is a heading where it is a line of its own. */
const headings = (text: string, mark: string) =>
  /^\n*[^\n]+\n*$/.test(text)
    ? text.replace(/[^\n]+/, (line) => `${mark} ${line.replace(/\*\*/g, '')}`)
    : text;

/** Marks of Markdown touch what they mark, and end with the line. */
const marked = (text: string, mark: string) =>
  mark === ''
    ? text
    : text.replace(/[^\n]+/g, (line) => line.replace(/\S(?:.*\S)?/, (words) => `${mark}${words}${mark}`));
