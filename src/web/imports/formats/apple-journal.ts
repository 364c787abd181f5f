// Apple's Journal: a page of HTML for each entry, called by its day (`Entries/2024-06-03_The_lake.html`), and what belongs
// to its pictures and places as JSON beside them. The elements of a page overlap as no others do. Pure.
import { collectFiles, isObject, type LeftOutList, type ParsedEntry } from '../imported-entry.ts';
import {
  elementsIn,
  firstIn,
  hasClass,
  lineText,
  type MarkupElement,
  withClass,
} from '../markup/parse-markup.ts';
import { toMarkdown } from '../markup/to-markdown.ts';
import { withProperties } from '../properties.ts';
import { baseName } from '../titles.ts';
import { readWritten } from '../written-dates.ts';
import { dayInName } from './markdown.ts';

/** Whether a page is an entry. */
export const isAppleJournal = (page: MarkupElement): boolean =>
  firstIn(page, withClass('pageHeader')) !== null &&
  firstIn(page, (element) => ['bodyText', 'title', 'assetGrid'].some((name) => hasClass(element, name))) !==
    null;

/** The number of a picture or place, by the name of the JSON that describes it; null for other files. */
export const journalAssetId = (path: string): string | null =>
  /(?:^|\/)Resources\/([^/]+)\.json$/i.exec(path)?.[1] ?? null;

/** The places that such a JSON names. */
export function journalPlaces(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(journalPlaces);
  if (!isObject(json)) return [];
  const own = [json.placeName, json.city].find((name) => typeof name === 'string' && name !== '');
  const inner = Object.values(json)
    .filter((value) => typeof value === 'object')
    .flatMap(journalPlaces);
  return [...new Set([...(typeof own === 'string' ? [own] : []), ...inner])];
}

/** @param places of its pictures and maps, by their numbers */
export function parseAppleJournal(
  path: string,
  page: MarkupElement,
  places: ReadonlyMap<string, readonly string[]>,
  leftOut: LeftOutList,
): ParsedEntry {
  const [header, title] = [firstIn(page, withClass('pageHeader')), firstIn(page, withClass('title'))];
  const said = header ? lineText(header) : '';
  const day = dayInName(baseName(path)) ?? readWritten(said)?.happenedOn ?? null;
  const assets = elementsIn(page, withClass('gridItem'));
  const { files, onMedia } = collectFiles(leftOut, path);
  const words = toMarkdown(page, {
    onMedia,
    special: (element, walk) => {
      if (element === header || element === title) return { text: '' };
      if (hasClass(element, 'reflectionPrompt')) return { text: `> ${walk.inline(element.children).trim()}` };
      // A recording has no file of its own in the page.
      if (
        hasClass(element, 'assetType_audio') &&
        elementsIn(element, ({ name }) => name === 'audio').length === 0
      ) {
        leftOut.add('media', 'recording');
        return { text: [walk.blocks(element.children), '[Recording left out]'].filter(Boolean).join('\n') };
      }
      return undefined;
    },
  });
  const named = assets.flatMap(({ attributes }) => places.get(attributes.id ?? '') ?? []);
  return {
    format: 'apple-journal',
    title: title ? lineText(title) : '',
    content: withProperties(words, [
      // A date that is not understood is not lost either.
      { name: 'Date', value: day === null ? said : '' },
      { name: 'Place', value: [...new Set(named)].filter((place) => !words.includes(place)).join(', ') },
    ]),
    happenedOn: day,
    tags: [],
    sourceId: null,
    ...(files.length > 0 && { files }),
  };
}
