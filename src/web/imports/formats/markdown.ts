// Markdown, as Obsidian and many others keep it: YAML front matter, tags in the text, a day as the name of a daily note.
// Pure.
import type { LeftOutList, ParsedEntry } from '../imported-entry.ts';
import { readLocal } from '../local-times.ts';
import { withProperties } from '../properties.ts';
import { baseName } from '../titles.ts';
import { readSaidDate, readWritten, saysMore } from '../written-dates.ts';
import { type Member, propertiesOf, splitFrontMatter } from './front-matter.ts';
import { filesInMarkdown } from './markdown-files.ts';

/** Members that say when a note was made, likely ones first. */
const DATES = [
  'date',
  'created',
  'created_at',
  'created at',
  'date created',
  'date_created',
  'creation-date',
  'creation_date',
];

/**
 * One file as one entry. What its front matter says besides title, date and tags stands below the text.
 * @param path of the file; its name is the title where nothing else is
 */
export function parseMarkdown(path: string, text: string, leftOut: LeftOutList): ParsedEntry {
  const front = splitFrontMatter(text);
  const { members, body } = front;
  const called = (name: string) => members.filter((member) => member.name.trim().toLowerCase() === name);
  const name = baseName(path);
  const heading = /^\s*#[ \t]+([^\n]+)(?:\n+|$)/.exec(body);
  // Marks may close it too.
  const headed = heading?.[1]?.trim().replace(/(?<![ \t])[ \t]+#+$/, '');
  const titled = called('title').find(({ text: said }) => said.trim() !== '');
  const title = titled?.text || headed || name;
  // A heading that is the title would be said twice.
  const content = heading && headed === title ? body.slice(heading[0].length) : body;
  const dated = DATES.flatMap(called)
    .map((member) => ({ member, date: readSaidDate(member.text) }))
    .find(({ date }) => date !== null);
  const tagged = [...called('tags'), ...called('tag')];
  // The end of a range has no other place.
  const day = dated && !saysMore(dated.member.text) ? dated.member : undefined;
  const files = filesInMarkdown(path, body, leftOut);
  const used = new Set([titled, day, ...tagged].filter((member) => member !== undefined));
  const named = dayInName(name);
  return {
    format: 'markdown',
    title,
    content: withProperties(content, propertiesOf(front, used)),
    ...(dated?.date ?? (named ? { happenedOn: named } : (readWritten(title) ?? { happenedOn: null }))),
    tags: [...tagged.flatMap(tagsOf), ...tagsInText(body)].map((tag) => tag.replace(/^#/, '')),
    sourceId: null,
    ...(files.length > 0 && { files }),
  };
}

/** A list of tags is a list; in one line they are parted by commas or spaces. */
const tagsOf = ({ values, isList, text }: Member) =>
  (isList ? values : text.split(/[,\s]+/)).map((tag) => tag.trim()).filter(Boolean);

/** `2023-12-31` in front of a name, or all of it. */
export function dayInName(name: string): string | null {
  const match = /^(\d{4})[-_.](\d\d)[-_.](\d\d)(?!\d)/.exec(name);
  return match ? readLocal(match.slice(1).join('-')) : null;
}

/** Tags as they stand in a text, `#garden` or `#home/garden`; not in code, not in links, and no number alone. */
export function tagsInText(text: string): string[] {
  const prose = text
    .slice(0, 200_000)
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]*`/g, ' ');
  const found = prose.matchAll(/(?<![^\s(,;])#([\p{L}\p{N}_][\p{L}\p{N}_/-]*)/gu);
  return [...new Set([...found].map(([, tag = '']) => tag.replace(/(?<![/-])[/-]+$/, '')))].filter((tag) =>
    /\p{L}/u.test(tag),
  );
}
