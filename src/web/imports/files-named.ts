// What the text of an imported memory says of its files. Pure.

/** A text in which these files came along: it names them, and no longer says that they were left out. */
export function withFilesNamed(content: string, files: readonly { name: string }[]): string {
  return files.reduce(
    (text, { name }) =>
      text
        // Not a replacement text: a name may have signs that mean something in one.
        .replaceAll(`[Left out: ${name}]`, () => `[File: ${name}]`)
        .replaceAll(` left out: ${name}]`, () => `: ${name}]`),
    content,
  );
}
