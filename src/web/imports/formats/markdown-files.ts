// The pictures and documents that a text in Markdown shows or links to, as far as they lie beside it. The text stays as it is. Pure.
import { isMedia } from '../file-kinds.ts';
import { collectFiles, type LeftOutList, type NamedFile } from '../imported-entry.ts';
import { decoded } from '../markup/links-and-media.ts';

/** `![[bees.jpg|300]]` of Obsidian; `![Bees](img/bees.jpg "Bees")`, and links without the mark. No part of it can hold a bracket. */
const SHOWN =
  /!\[\[([^[\]\n|#]{1,1000})[^[\]\n]{0,300}\]\]|\[[^[\]\n]{0,1000}\]\((?:<([^<>\n]{1,1000})>|([^()<>\s]{1,1000}))(?:[ \t]"[^"\n]{0,300}")?\)/g;

/** Each of them once, counted as left out until it is found. @param path of the text */
export function filesInMarkdown(path: string, text: string, leftOut: LeftOutList): readonly NamedFile[] {
  const { files, onMedia } = collectFiles(leftOut, path);
  const seen = new Set<string>();
  for (const [, embedded, quoted, plain] of text.matchAll(SHOWN)) {
    const source = (embedded ?? quoted ?? plain ?? '').trim();
    if (seen.has(source) || /^[a-z][a-z\d+.-]*:|^\/\//i.test(source) || !isMedia(source)) continue;
    seen.add(source);
    onMedia(decoded(source.split('/').at(-1) ?? source), source);
  }
  return files;
}
