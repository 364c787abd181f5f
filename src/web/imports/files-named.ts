// What the text of an imported memory says of its files. Pure.
import type { NamedFile } from './imported-entry.ts';

const LEFT_OUT = ' left out]';

/** A text in which these files came along: it names them, and no longer says that they were left out. */
export function withFilesNamed(
  content: string,
  files: readonly Pick<NamedFile, 'name' | 'standsAs'>[],
): string {
  return files.reduce(
    (text, { name, standsAs }) =>
      standsAs
        ? // The first one: they are in the order of the text.
          text.replace(standsAs, () => `${standsAs.slice(0, -LEFT_OUT.length)}: ${name}]`)
        : text
            // Not a replacement text: a name may have signs that mean something in one.
            .replaceAll(`[Left out: ${name}]`, () => `[File: ${name}]`)
            .replaceAll(` left out: ${name}]`, () => `: ${name}]`),
    content,
  );
}
