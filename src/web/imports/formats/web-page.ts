// A page of HTML that says no more of itself than its words: what UpNote exports, and anything else. Pure.
import { collectFiles, type LeftOutList, type ParsedEntry } from '../imported-entry.ts';
import { elementsIn, firstIn, lineText, type MarkupElement } from '../markup/parse-markup.ts';
import { toMarkdown } from '../markup/to-markdown.ts';
import { baseName, withoutTitle } from '../titles.ts';

/** What UpNote marks its elements with. */
const isUpNote = (page: MarkupElement): boolean =>
  firstIn(
    page,
    ({ attributes }) =>
      attributes['data-upnote-tag'] !== undefined ||
      attributes['data-note-id'] !== undefined ||
      /(^|\s)shine-/.test(attributes.class ?? ''),
  ) !== null;

/** Whether a page is one of Telegram's, which says less than its JSON. */
export const isTelegramPage = (page: MarkupElement): boolean =>
  firstIn(page, ({ attributes }) => /(^|\s)page_wrap(\s|$)/.test(attributes.class ?? '')) !== null &&
  firstIn(page, ({ attributes }) =>
    /(^|\s)(history|page_about|list_page)(\s|$)/.test(attributes.class ?? ''),
  ) !== null;

/**
 * The page as one entry, called by its title, or else by its file.
 * @param within as for `collectFiles`
 */
export function parseWebPage(
  path: string,
  page: MarkupElement,
  leftOut: LeftOutList,
  within?: (source: string) => string | undefined,
): ParsedEntry {
  const upNote = isUpNote(page);
  const named = firstIn(page, ({ name }) => name === 'title');
  const title = (!upNote && named && lineText(named)) || baseName(path);
  const { files, onMedia } = collectFiles(leftOut, path, within);
  const words = toMarkdown(page, { onMedia });
  const tags = elementsIn(page, ({ attributes }) => attributes['data-upnote-tag'] !== undefined);
  return {
    format: upNote ? 'upnote' : 'html',
    title,
    content: withoutTitle(words, title),
    happenedOn: null,
    tags: tags.map(({ attributes }) => (attributes['data-upnote-tag'] ?? '').replace(/^#/, '')),
    sourceId: null,
    ...(files.length > 0 && { files }),
  };
}
