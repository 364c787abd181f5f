/**
 * False only for texts that `parseMarkdown` takes for plain. It reads a text once, whatever stands there. (Dashes and
 * numbers count at the beginning of a line alone, colons in an address.)
 */
export declare function mayHaveMarkup(text: string): boolean;
