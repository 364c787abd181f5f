// Front matter: what has a place goes there, the rest is kept below the text, and nothing of it can do harm.
import { describe, expect, test } from 'vitest';
import { LeftOutList } from '../imported-entry.ts';
import { stampHere } from '../local-times.ts';
import { splitFrontMatter } from './front-matter.ts';
import { parseMarkdown } from './markdown.ts';

const parse = (block: string, body = 'Warm.') =>
  parseMarkdown('x.md', `---\n${block}\n---\n${body}`, new LeftOutList());

test('what Joplin says of a note', () => {
  const note = parse(
    [
      'title: The lake',
      'updated: 2024-06-05 09:00:00Z',
      'created: 2024-06-03 07:12:13Z',
      'source: https://example.org/lake?a=b',
      'author: Nora',
      'latitude: 47.56000000',
      'longitude: 13.64000000',
      'altitude: 0.0000',
      'completed?: no',
      'due: 2024-06-10 10:00:00Z',
      'tags:',
      '  - summer',
      '  - a long tag',
    ].join('\n'),
  );
  expect(note).toEqual({
    format: 'markdown',
    title: 'The lake',
    happenedOn: stampHere(Date.parse('2024-06-03T07:12:13Z')),
    instant: Date.parse('2024-06-03T07:12:13Z'),
    tags: ['summer', 'a long tag'],
    sourceId: null,
    content: [
      'Warm.\n',
      '- updated: 2024-06-05 09:00:00Z',
      '- source: https://example.org/lake?a=b',
      '- author: Nora',
      '- latitude: 47.56000000',
      '- longitude: 13.64000000',
      '- altitude: 0.0000',
      '- completed?: no',
      '- due: 2024-06-10 10:00:00Z',
    ].join('\n'),
  });
});

test('what Obsidian says of a note', () => {
  const note = parse(
    'aliases: [Hallstatt, "The water"]\ncssclasses:\n  - wide\ndescription: >-\n  Warm and\n  clear\nrating: 5 # of five\nplace:\n  lat: 47.5\n  name: Pier\nrelated: "[[Nora]]"\nempty:',
  );
  expect(note.content).toBe(
    'Warm.\n\n- aliases: Hallstatt, The water\n- cssclasses: wide\n- description: Warm and clear\n- rating: 5\n' +
      '- place:\n  - lat: 47.5\n  - name: Pier\n- related: [[Nora]]\n- Remark: of five',
  );
});

describe('titles and tags', () => {
  test.each([
    ['title: |-\n  The lake', 'The lake'],
    ['title: |\n  The lake', 'The lake\n'],
    ["title: 'Nora''s lake: one'", "Nora's lake: one"],
    ['Title: "A \\"b\\""', 'A "b"'],
    ['title:', 'x'],
  ])('%j', (block, title) => expect(parse(block).title).toBe(title));

  test.each([
    ['tags: [a, "b c"]', ['a', 'b c']],
    ['tags: a b, c', ['a', 'b', 'c']],
    ['tag: one', ['one']],
    ['tags: #a #b', ['a', 'b']],
    ['tags: [a, b] # mine', ['a', 'b']],
    ['tags:\n- a\n- b c', ['a', 'b c']],
    ['tags: &t [a]\ntag: *t', ['a', 'a']],
    ['tags:', []],
  ])('%j', (block, tags) => expect(parse(block).tags).toEqual(tags));
});

describe('dates in any form', () => {
  test.each([
    ['date: 2023-12-31', '2023-12-31'],
    ['date: "2023-12-31T23:59:00+01:00"', '2023-12-31T23:59'],
    ['date: 2023-12-31T00:00:00.000Z', '2023-12-31'],
    ['created: 2023/12/31 23:59', '2023-12-31T23:59'],
    ['created: 31.12.2023 23:59', '2023-12-31T23:59'],
    ['date created: Sunday, December 31st 2023, 11:59:00 pm', '2023-12-31T23:59'],
    ['created: Sun 31 Dec 2023', '2023-12-31'],
    ['created: 31 décembre 2023 à 23:59', '2023-12-31T23:59'],
    ['created: 31. Dezember 2023', '2023-12-31'],
    ['created: 31 de diciembre de 2023', '2023-12-31'],
    ['created: 31 grudnia 2023', '2023-12-31'],
    ['created: 2023年12月31日', '2023-12-31'],
    ['created: 20231231', '2023-12-31'],
    ['date: someday\ncreated: 2023-12-31', '2023-12-31'],
    ['date: 01/02/2023', null],
    ['date: 2023', '2023'],
    ['date: 2023-02-30', null],
  ])('%j', (block, happenedOn) => expect(parse(block).happenedOn).toBe(happenedOn));

  test('a date that says more than when it began stays below the text', () => {
    expect(parse('date: 2023-12-30 → 2023-12-31')).toMatchObject({
      happenedOn: '2023-12-30',
      content: 'Warm.\n\n- date: 2023-12-30 → 2023-12-31',
    });
  });

  test('a date that cannot be read stays below the text', () => {
    expect(parse('date: 01/02/2023\ncreated: 2023-12-31').content).toBe('Warm.\n\n- date: 01/02/2023');
  });
});

describe('what is no front matter stays as it is', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x, x]',
    ...'bcdefg'.split('').map((name, i) => {
      const before = `*${'abcdef'[i]}`;
      return `${name}: &${name} [${Array(10).fill(before).join(', ')}]`;
    }),
  ].join('\n');
  test.each([
    ['an error', 'title: a: b\n  - [c'],
    ['a tab', 'a:\n\tb: c'],
    ['a list', '- a\n- b'],
    ['a word', 'word'],
    ['an alias of nothing', 'a: *nothing'],
    ['an alias of itself', 'a: &a [*a]'],
    ['one that grows without end', bomb],
    ['one that says a long text again and again', `a: &a ${'x'.repeat(30_000)}\nb: [*a, *a, *a, *a, *a]`],
    ['one that is deeper than anything', `a: ${'['.repeat(50)}${']'.repeat(50)}`],
    ['one that is too long', `a: ${'x'.repeat(70_000)}`],
  ])('%s', (_, block) => {
    const text = `---\n${block}\n---\nWarm.`;
    expect(splitFrontMatter(text)).toEqual({ members: [], remarks: [], body: text });
    expect(parse(block).content).toBe(text);
  });

  test('a member that stands twice is kept twice', () => {
    expect(parse('a: 1\na: 2').content).toBe('Warm.\n\n- a: 1\n- a: 2');
  });

  test('remarks alone, and nothing', () => {
    expect(parse('# later').content).toBe('Warm.\n\n- Remark: later');
    expect(parse('').content).toBe('Warm.');
  });
});

// The library calls itself for each level. Where the stack runs out while a regular expression is compiled, the process ends.
test.each([
  ['brackets', `a: ${'['.repeat(60_000)}`],
  ['braces', `a: ${'{b: '.repeat(15_000)}`],
  ['lists in a line', '- '.repeat(30_000)],
  ['keys in a line', '? '.repeat(30_000)],
  ['both in a line', '? -\t'.repeat(15_000)],
  [
    'lists in lines, each further in',
    Array.from({ length: 80 }, (_, line) => ' '.repeat(16 * line) + '- '.repeat(8)).join('\n'),
  ],
])('a block of %s within each other stays in the text', (_, block) => {
  expect(parse(block).content).toBe(`---\n${block}\n---\nWarm.`);
});

test('brackets that end are no depth', () => {
  const tags = Array.from({ length: 60 }, (_, i) => `[tag ${i}]`).join(', ');
  expect(parse(`tags: [a, b]\nlinks: [${tags}]`).tags).toEqual(['a', 'b']);
});
