// What the text of an imported memory says of its files. Pure.
import type { FittingEntry } from './fit-entry.ts';
import type { NamedFile, Standing } from './imported-entry.ts';

const LEFT_OUT = ' left out]';

/** A text in which these files came along: it names them, and no longer says that they were left out. */
export function withFilesNamed(
  content: string,
  files: readonly Pick<NamedFile, 'name' | 'standsAs'>[],
): string {
  return files.reduce(
    (text, { name, standsAs }) =>
      standsAs
        ? text
        : text
            // Not a replacement text: a name may have signs that mean something in one.
            .replaceAll(`[Left out: ${name}]`, () => `[File: ${name}]`)
            .replaceAll(` left out: ${name}]`, () => `: ${name}]`),
    withStandingNamed(content, files),
  );
}

/** Names those that have no name in the text, each in its own place: all at once, as one that is named counts no more. */
function withStandingNamed(content: string, files: readonly Pick<NamedFile, 'name' | 'standsAs'>[]): string {
  const byWords = new Map<string, Map<number, string>>();
  for (const { name, standsAs } of files) {
    if (!standsAs) continue;
    const byNth = byWords.get(standsAs.words) ?? new Map<number, string>();
    for (const nth of standsAs.nths) byNth.set(nth, name);
    byWords.set(standsAs.words, byNth);
  }
  let text = content;
  for (const [words, byNth] of byWords) {
    let nth = -1;
    text = text.replaceAll(words, () => {
      nth += 1;
      const name = byNth.get(nth);
      return name === undefined ? words : `${words.slice(0, -LEFT_OUT.length)}: ${name}]`;
    });
  }
  return text;
}

/** At which characters a text has these words. */
export function* placesOf(text: string, words: string): Generator<number> {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) yield at;
}

/**
 * Where a file without a name stands in each part of a text that was split; nowhere where it was split within its words.
 * @param content the text before that
 * @returns for each part, which of the places there that have these words
 */
export function standingInParts(
  content: string,
  { words, nths }: Standing,
  parts: readonly Pick<FittingEntry, 'content' | 'from'>[],
): number[][] {
  const mine = new Set(nths);
  const own = new Set([...placesOf(content, words)].filter((_, nth) => mine.has(nth)));
  return parts.map(({ content: text, from }) =>
    [...placesOf(text, words)].flatMap((at, nth) => (own.has(from + at) ? [nth] : [])),
  );
}
