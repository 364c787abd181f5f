// Plain text in lines of a fixed width, for files that are signed and read in a terminal.

/** How wide a line is, in characters: what a terminal of 80 shows with room beside it. */
export const LINE_WIDTH = 76;

/**
 * Breaks one paragraph into lines at its spaces. A word that is longer than a line stands alone.
 * @param indent what stands before each line, and counts towards the width
 */
export function wrap(paragraph: string, { width = LINE_WIDTH, indent = '' } = {}): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(/\s+/).filter((found) => found !== '')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  if (line !== '') lines.push(indent + line);
  return lines.join('\n');
}

/** One line in the middle. */
export function centre(line: string, width = LINE_WIDTH): string {
  return `${' '.repeat(Math.max(0, Math.floor((width - line.length) / 2)))}${line}`;
}

/**
 * Wraps each paragraph of a text, where blank lines stand between paragraphs. Lines that are indented stay as they are.
 * @returns with one line break at the end
 */
export function wrapParagraphs(text: string): string {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return `${paragraphs.map((each) => (/^\s/.test(each) ? each.trimEnd() : wrap(each))).join('\n\n')}\n`;
}
