// A page as plain text for A4 paper.
import type { Block, Page } from './blocks.ts';

/** Columns that fit on A4 in a usual size. */
const WIDTH = 76;
const INDENT = '    ';
/** A line for handwriting is not shorter than this. */
const BLANK_AT_LEAST = 24;

export function asText({ title, made, blocks }: Page): string {
  const head = [...underlined(title, '='), ...wrap(made)];
  const body = blocks.flatMap((block) => ['', ...linesOf(block)]);
  // Not every printer knows typographic signs.
  return `${[...head, ...body].join('\n')}\n`.replaceAll('’', "'").replace(/[“”]/g, '"');
}

function linesOf(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      return ['', ...underlined(block.text, '-')];
    case 'subheading':
      return wrap(block.text);
    case 'text':
      return wrap(block.text);
    case 'commands':
      return block.commands.flatMap((command) => wrapCommand(command, INDENT));
    case 'list':
      return block.items.flatMap((item) => wrap(item, '  - ', INDENT));
    case 'checks':
      return block.items.flatMap((item) => wrap(item, '[ ] ', INDENT));
    case 'steps':
      return block.steps.flatMap(({ text, commands = [] }, i) => [
        ...wrap(text, `${i + 1}. `.padEnd(4), INDENT),
        ...commands.flatMap((command) => wrapCommand(command, INDENT.repeat(2))),
      ]);
    case 'pairs':
      return block.pairs.flatMap(([label, value]) => wrap(`${label}: ${value}`, '', INDENT));
    case 'blanks':
      return block.labels.flatMap(blank);
    case 'note':
      return block.text.split('\n').flatMap((line) => (line.length <= WIDTH ? [line] : wrap(line)));
  }
}

function underlined(text: string, sign: string): string[] {
  const lines = wrap(text);
  return [...lines, sign.repeat(Math.max(...lines.map(({ length }) => length)))];
}

/** Handwriting needs room above the line. */
function blank(label: string): string[] {
  const start = `${label}: `;
  const room = WIDTH - start.length;
  return room >= BLANK_AT_LEAST
    ? ['', `${start}${'_'.repeat(room)}`]
    : ['', ...wrap(`${label}:`), '', '_'.repeat(WIDTH)];
}

/** Breaks at spaces. A word that is longer than a line stays whole: it is a path or an address. */
function wrap(text: string, first = '', next = first === '' ? '' : INDENT): string[] {
  return broken(text.split(/ +/), first, next, WIDTH);
}

/** Breaks a command as a shell allows it, and never within quotes or brackets. */
function wrapCommand(command: string, indent: string): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s'"])+/g) ?? [];
  const lines = broken(words, indent, `${indent}  `, WIDTH - 2);
  return lines.map((line, i) => (i < lines.length - 1 ? `${line} \\` : line));
}

function broken(words: string[], first: string, next: string, width: number): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = next;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].map((whole) => whole.trimEnd());
}
