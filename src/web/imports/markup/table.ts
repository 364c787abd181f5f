// A table of HTML as one of Markdown. Pure.

import type { Block, Walk } from './markdown-rules.ts';
import { elementsIn, type MarkupElement } from './parse-markup.ts';

/** More than any person fills in: short rows are padded to the longest. */
const CELLS_MAX = 200_000;

/** Null for a table that only lays out a page, or is a data set: its cells are read one below the other. */
export function tableBlock(table: MarkupElement, walk: Walk): Block[] | null {
  if (elementsIn(table, ({ name }) => name === 'table').length > 0) return null;
  const rows = elementsIn(table, ({ name }) => name === 'tr').map((row) =>
    row.children.filter(
      (child): child is MarkupElement =>
        typeof child !== 'string' && (child.name === 'td' || child.name === 'th'),
    ),
  );
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  if (width < 2 || width * rows.length > CELLS_MAX) return null;
  const lines = rows
    .filter((cells) => cells.length > 0)
    .map((cells) => [...cells.map((cell) => cellText(cell, walk)), ...Array(width - cells.length).fill('')]);
  const [head = [], ...rest] = lines.map((cells) => `| ${cells.join(' | ')} |`);
  const caption = table.children.find((child) => typeof child !== 'string' && child.name === 'caption');
  const above = typeof caption === 'object' ? [{ text: walk.blocks(caption.children) }] : [];
  return [...above, { text: [head, `|${' --- |'.repeat(width)}`, ...rest].join('\n') }];
}

const cellText = (cell: MarkupElement, walk: Walk) =>
  walk.blocks(cell.children).replace(/\n+/g, ' / ').replaceAll('|', '\\|').trim();
