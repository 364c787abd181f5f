// A file of plain text as one entry. Pure.
import type { ParsedEntry } from '../imported-entry.ts';
import { baseName } from '../titles.ts';
import { dayInName } from './markdown.ts';

/** The name of the file is its title; a day in front of the name is when it happened. */
export function parsePlainText(path: string, text: string): ParsedEntry {
  const name = baseName(path);
  return {
    format: 'plain-text',
    title: name,
    content: text.trim(),
    happenedOn: dayInName(name),
    tags: [],
    sourceId: null,
  };
}
