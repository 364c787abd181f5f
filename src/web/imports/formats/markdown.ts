// Markdown, as Obsidian and many others keep it: YAML front matter, tags in the text, a day as the name of a daily note.
// Pure.
import type { ParsedEntry } from '../imported-entry.ts';
import { readLocal } from '../local-times.ts';
import { baseName } from '../titles.ts';

/**
 * One file as one entry.
 * @param path of the file; its name is the title where nothing else is
 */
export function parseMarkdown(path: string, text: string): ParsedEntry {
  const { front, body } = splitFrontMatter(text);
  const name = baseName(path);
  const heading = /^\s*#[ \t]+(.+?)[ \t]*#*[ \t]*(?:\n+|$)/.exec(body);
  const title = one(front, 'title') || heading?.[1] || name;
  // A heading that is the title would be said twice.
  const content = heading && heading[1] === title ? body.slice(heading[0].length) : body;
  const day = ['date', 'created', 'created_at', 'date created', 'creation-date', 'creation_date']
    .map((key) => readLocal(one(front, key)))
    .find((stamp) => stamp !== null);
  return {
    format: 'markdown',
    title,
    content: content.trim(),
    happenedOn: day ?? dayInName(name),
    tags: [...(front.get('tags') ?? []), ...(front.get('tag') ?? []), ...tagsInText(body)].map((tag) =>
      tag.replace(/^#/, ''),
    ),
    sourceId: null,
  };
}

/** `2023-12-31` in front of a name, or all of it. */
export function dayInName(name: string): string | null {
  const match = /^(\d{4})[-_.](\d\d)[-_.](\d\d)(?!\d)/.exec(name);
  return match ? readLocal(match.slice(1).join('-')) : null;
}

type FrontMatter = Map<string, string[]>;

const one = (front: FrontMatter, key: string) => front.get(key)?.[0] ?? '';

/** The few forms of YAML that notes use: a word, a list in brackets, a list with dashes. Whatever else stands there is passed over. */
export function splitFrontMatter(text: string): { front: FrontMatter; body: string } {
  const front: FrontMatter = new Map();
  const end = text.startsWith('---\n') ? /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text.slice(3)) : null;
  if (!end) return { front, body: text };
  const lines = text.slice(4, 3 + end.index + 1).split('\n');
  let key = '';
  for (const line of lines) {
    const item = /^\s*-\s+(.+)$/.exec(line);
    const member = /^([\p{L}][\p{L}\p{N} _-]*):(?:\s+(.*))?$/u.exec(line);
    if (item?.[1] !== undefined && key !== '') front.get(key)?.push(...scalar(item[1]));
    else if (member?.[1] !== undefined) {
      key = member[1].trim().toLowerCase();
      front.set(key, values(key, member[2] ?? ''));
    }
  }
  return { front, body: text.slice(3 + end.index + end[0].length) };
}

function values(key: string, text: string): string[] {
  const list = /^\[(.*)\]\s*(?:#.*)?$/.exec(text.trim());
  if (list) return (list[1] ?? '').split(',').flatMap(scalar);
  // In the front matter of notes, one line of tags is a list.
  if (/^tags?$/.test(key)) return text.split(/[,\s]+/).flatMap(scalar);
  return scalar(text);
}

function scalar(text: string): string[] {
  const quoted = /^\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*$/.exec(text);
  if (quoted) return [quoted[1]?.replace(/\\(.)/g, '$1') ?? quoted[2]?.replaceAll("''", "'") ?? ''];
  const plain = text.replace(/\s+#.*$/, '').trim();
  return plain === '' ? [] : [plain];
}

/** Tags as they stand in a text, `#garden` or `#home/garden`; not in code, not in links, and no number alone. */
export function tagsInText(text: string): string[] {
  const prose = text
    .slice(0, 200_000)
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]*`/g, ' ');
  const found = prose.matchAll(/(?<![^\s(,;])#([\p{L}\p{N}_][\p{L}\p{N}_/-]*)/gu);
  return [...new Set([...found].map(([, tag = '']) => tag.replace(/[/-]+$/, '')))].filter((tag) =>
    /\p{L}/u.test(tag),
  );
}
