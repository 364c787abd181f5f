// Whether a text can mean anything in Markdown at all: most that people write does not, and needs no parser.

/**
 * False only for texts that `parseMarkdown` takes for plain. It reads a text once, whatever stands there. (Dashes and
 * numbers count at the beginning of a line alone, colons in an address.)
 */
export function mayHaveMarkup(text: string): boolean {
  return /[*_`~\\[<]|https?:\/\/|(?:^|[\n\r\u2028\u2029])[ \t]{0,3}(?:#|>|[-+](?:[\s-]|$)|\d{1,9}[.)])/i.test(
    text,
  );
}
