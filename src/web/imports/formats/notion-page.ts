// Notion: a page as HTML. Its properties are a table that says what each is. Pure.
import { collectFiles, type LeftOutList, type ParsedEntry } from '../imported-entry.ts';
import { decoded } from '../markup/links-and-media.ts';
import type { MarkdownRules } from '../markup/markdown-rules.ts';
import {
  elementsIn,
  firstIn,
  hasClass,
  lineText,
  type MarkupElement,
  withClass,
} from '../markup/parse-markup.ts';
import { toMarkdown } from '../markup/to-markdown.ts';
import type { Property } from '../properties.ts';
import { notionEntry } from './notion.ts';

/** Whether a page is one of Notion. */
export const isNotionPage = (page: MarkupElement): boolean =>
  firstIn(page, (element) => element.name === 'article' && hasClass(element, 'page')) !== null &&
  firstIn(page, withClass('page-title')) !== null;

/** The page; nothing for a database, whose rows come as pages of their own. */
export function parseNotionPage(path: string, page: MarkupElement, leftOut: LeftOutList): ParsedEntry[] {
  const body = firstIn(page, withClass('page-body'));
  if (!body && firstIn(page, withClass('collection-content'))) {
    leftOut.add('database', path);
    return [];
  }
  const header = firstIn(page, ({ name }) => name === 'header');
  const title = firstIn(page, withClass('page-title'));
  const description = header && firstIn(header, withClass('page-description'));
  const icon = header && firstIn(header, withClass('page-header-icon'));
  const { files, onMedia } = collectFiles(leftOut, path);
  const rules = rulesFor(onMedia);
  const cover = header ? elementsIn(header, (element) => hasClass(element, 'page-cover-image')) : [];
  return [
    notionEntry(path, {
      title: [icon && toMarkdown(icon, rules), title && lineText(title)].filter(Boolean).join(' '),
      files,
      properties: header ? propertiesIn(header, rules) : [],
      body: [
        cover.length > 0 && toMarkdown({ name: '', attributes: {}, children: cover }, rules),
        description && toMarkdown(description, rules),
        body && toMarkdown(body, rules),
      ]
        .filter(Boolean)
        .join('\n\n'),
    }),
  ];
}

const propertiesIn = (header: MarkupElement, rules: MarkdownRules): Property[] =>
  elementsIn(header, withClass('property-row')).flatMap((row) => {
    const [name, value] = [firstIn(row, (it) => it.name === 'th'), firstIn(row, (it) => it.name === 'td')];
    return name && value ? [{ name: lineText(name), value: wordsIn(value, rules) }] : [];
  });

function wordsIn(cell: MarkupElement, rules: MarkdownRules): string {
  const chosen = elementsIn(cell, withClass('selected-value'));
  if (chosen.length > 0) return chosen.map(lineText).join(', ');
  const check = firstIn(cell, withClass('checkbox'));
  if (check) return hasClass(check, 'checkbox-on') ? 'Yes' : 'No';
  const times = elementsIn(cell, ({ name }) => name === 'time');
  return times.length > 0 ? times.map(lineText).join(' ').replace(/^@/, '') : toMarkdown(cell, rules);
}

const rulesFor = (onMedia: MarkdownRules['onMedia']): MarkdownRules => ({
  onMedia,
  special: (element, walk) => {
    if (element.name === 'figure' && hasClass(element, 'callout')) {
      const [icon, ...words] = element.children;
      const text = [icon ? walk.inline([icon]).trim() : '', walk.blocks(words)].filter(Boolean).join(' ');
      return { text: text.replace(/^/gm, '> ') };
    }
    // The file that a figure shows is a link into the export.
    if (element.name === 'a' && /^(?!\w+:|#).+\.(?!html?$)\w{1,5}$/i.test(element.attributes.href ?? '')) {
      if (elementsIn(element, ({ name }) => name === 'img').length > 0) return undefined;
      const name = decoded((element.attributes.href ?? '').split('/').at(-1) ?? '');
      onMedia(name, element.attributes.href);
      return `[Document left out: ${name}]`;
    }
    return undefined;
  },
});
