// The documents lead somewhere: every link to a file or a heading of this repository finds it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

const read = (path) => readFileSync(path, 'utf8');
const withoutCode = (text) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors that a forge gives to a document's headings. */
function anchorsOf(text) {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** What is wrong with a link that stands in `from`, or nothing. */
function problemOf(from, link) {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, from) : resolve(dirname(join(root, from)), path);
  const found = statSync(target, { throwIfNoEntry: false });
  if (!found) return [`${relative(root, target)} does not exist`];
  if (anchor && !anchorsOf(read(target)).includes(anchor)) return [`${path} has no heading #${anchor}`];
  return [];
}

test.each(documents)('every link in %s leads somewhere', (document) => {
  const links = [...withoutCode(read(join(root, document))).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, link = '']) => link,
  );
  const inside = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(inside.flatMap((link) => problemOf(document, link))).toEqual([]);
});

test('a link that leads nowhere is found', () => {
  expect(problemOf('README.md', 'docs/nowhere.md')).toHaveLength(1);
  expect(problemOf('README.md', 'docs/formats.md#no-such-heading')).toHaveLength(1);
  expect(problemOf('README.md', 'docs/formats.md#wrap')).toEqual([]);
});

test('every decision stands in their list, and no other', () => {
  const folder = join(root, 'docs', 'decisions');
  const listed = [...read(join(folder, 'README.md')).matchAll(/^\| \[\d{4}\]\(([^)]+)\)/gm)].map(
    ([, file = '']) => file,
  );
  expect(listed).toEqual(readdirSync(folder).filter((name) => /^\d{4}-/.test(name)));
});
