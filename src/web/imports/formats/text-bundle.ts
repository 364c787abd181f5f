// TextBundle (textbundle.org): a folder with a text and its pictures, as Bear backs up and Ulysses exports. Pure.
import { isObject, type Json, type LeftOutList, type ParsedEntry, textOf } from '../imported-entry.ts';
import { momentHere, readMoment } from '../local-times.ts';
import { parseMarkdown, tagsInText } from './markdown.ts';

/** Of a path in a bundle: its folder, which is named like the text, and what of it the file is. */
const IN_BUNDLE = /^((?:.*\/)?([^/]+)\.textbundle)\/(text\.[a-z]+|info\.json|assets\/.+)$/i;

/** @returns the bundle that a file belongs to; null outside of any */
export function bundleOf(path: string): { folder: string; name: string; file: string } | null {
  const match = IN_BUNDLE.exec(path);
  return match ? { folder: match[1] ?? '', name: match[2] ?? '', file: match[3] ?? '' } : null;
}

/**
 * The text of one bundle; nothing where it is encrypted or in the bin, which is counted.
 * @param bundle its name, and the path of its text
 * @param info what `info.json` says; anything where there is none
 */
export function parseTextBundle(
  { name, path }: { name: string; path: string },
  text: string,
  info: unknown,
  leftOut: LeftOutList,
): ParsedEntry[] {
  const bear = bearInfo(info);
  if (isSet(bear.encrypted) || bear.encryptedData !== undefined) {
    leftOut.add('encrypted', name);
    return [];
  }
  if (isSet(bear.trashed)) {
    leftOut.add('trashed', name);
    return [];
  }
  const parsed = withPlace(parseMarkdown(`${name}.md`, text, leftOut), path);
  if (Object.keys(bear).length === 0) return [parsed];
  const moment = readMoment(bear.creationDate) ?? readMoment(bear.modificationDate);
  const states = [isSet(bear.pinned) && 'pinned', isSet(bear.archived) && 'archived'];
  return [
    {
      ...parsed,
      format: 'bear',
      ...(moment !== null && momentHere(moment)),
      tags: [...bearTags(text), ...states.filter((state) => state !== false)],
      sourceId: textOf(bear.uniqueIdentifier) || null,
    },
  ];
}

/** What a text names lies in its own bundle. */
const withPlace = (entry: ParsedEntry, from: string): ParsedEntry =>
  entry.files ? { ...entry, files: entry.files.map((file) => ({ ...file, from })) } : entry;

function bearInfo(info: unknown): Json {
  const bear = isObject(info) ? info['net.shinyfrog.bear'] : undefined;
  return isObject(bear) ? bear : {};
}

/** Bear writes 0 and 1. */
const isSet = (value: unknown) => value === 1 || value === true;

/** A tag with spaces has a mark at its end too: `#late summer#`. */
function bearTags(text: string): string[] {
  const found: string[] = [];
  const rest = text.replace(
    /(?<![^\s(,;])#(?=\S)([^#\n`]{1,100}?\S)#(?![\p{L}\p{N}])/gu,
    (whole, tag: string) => {
      if (!/\s/.test(tag)) return ` #${tag} `;
      found.push(tag.trim());
      return ' '.repeat(whole.length);
    },
  );
  return [...new Set([...found, ...tagsInText(rest)])];
}

/** The bundles among files: the text of each, and what its folder says of it. */
export function bundlesIn<File extends { path: string }>(
  files: readonly File[],
): { name: string; text: File; info: File | null }[] {
  const byFolder = new Map<string, { name: string; text: File | null; info: File | null }>();
  for (const file of files) {
    const place = bundleOf(file.path);
    if (!place || place.file.startsWith('assets/')) continue;
    const bundle = byFolder.get(place.folder) ?? { name: place.name, text: null, info: null };
    bundle[place.file === 'info.json' ? 'info' : 'text'] = file;
    byFolder.set(place.folder, bundle);
  }
  return [...byFolder.values()].flatMap(({ name, text, info }) => (text ? [{ name, text, info }] : []));
}
