// Which entries are about somebody, and the text that they make.
import { describe, expect, test } from 'vitest';
import { fold } from '../../../vault/entries/search.ts';
import type { OpenedMemory } from '../../vault/entries/memories.ts';
import type { OpenedRelationship } from '../../vault/entries/relationships.ts';
import { chosenFor, joinWords, offeredFor, sourcesOf } from './eulogy.ts';

const NOW = Date.parse('2030-06-01T12:00:00Z');
const row = { version: 1, createdAt: '', updatedAt: '', sealId: null, keyFingerprint: null, outside: false };
const opened = {
  ...row,
  details: { happenedOn: null, tags: [] },
  detailsText: null,
  withheld: false,
  leftOut: false,
  arrived: null,
  boxed: false,
  leaf: '',
  changed: null,
};

const memory = (id: number, name: string | null, content: string | null, more: Partial<OpenedMemory> = {}) =>
  ({
    ...{ ...opened, id, name, content, at: id, timeLockUntil: null },
    ...{ folded: fold(`${name}\n${content}`), ...more },
  }) as OpenedMemory;
const moment = (id: number, name: string | null, content: string | null) =>
  ({
    ...{ ...opened, id, name, content, at: id, kind: 'ending', weight: 3 },
    folded: fold(`${name}\n${content}`),
  }) as OpenedRelationship;

const offered = (person: string, content: string) =>
  offeredFor(sourcesOf([memory(1, 'A title', content)], [], NOW).all, person).length > 0;

describe('a memory', () => {
  test.each([
    ['Nora', 'Then NORA came.', true],
    ['Nora', 'Signora came.', false],
    ['Ann', 'An annual feast.', false],
    ['Zoë', 'With Zoe at the sea.', true],
    ['Nora Weiss', 'Only Weiss was there.', true],
    ['Nora Weiss', 'Nora', true],
    ['Li Bo', 'Liberty and a boat.', false],
    ['Li Bo', 'Here is Li Bo again.', true],
    ['佐藤', '昨日、佐藤さんに会った。', true],
    ['A.B. (the one)', 'It was A.B. (the one)!', true],
    ['  ', 'Anything', false],
  ])('that says “%s”: %s', (person, content, is) => expect(offered(person, content)).toBe(is));
});

test('locked and unreadable entries are counted and left out', () => {
  const until = '2031-01-01T00:00:00Z';
  const sources = sourcesOf(
    [
      memory(1, 'Open', 'Yes.'),
      memory(2, 'Locked', null, { timeLockUntil: until, withheld: true }),
      memory(3, 'Locked here', 'Words that came before.', { timeLockUntil: until }),
      memory(4, null, null),
    ],
    [moment(5, null, 'Of somebody.'), moment(6, 'Nora', 'She laughed.')],
    NOW,
  );
  expect(sources.all.map(({ key }) => key)).toEqual(['moment:6', 'memory:1']);
  expect([sources.locked, sources.unreadable]).toEqual([2, 2]);
});

test('what is chosen by itself are the moments of one person, however they were written', () => {
  const { all } = sourcesOf(
    [memory(1, 'Nora', 'Nora.')],
    [moment(2, ' NORA ', 'a'), moment(3, 'Eleonora', 'b')],
    NOW,
  );
  expect(chosenFor(all, 'nora')).toEqual(['moment:2']);
  expect(offeredFor(all, 'nora').map(({ key }) => key)).toEqual(['moment:2', 'memory:1']);
});

test('words stand in the order in which things happened, with blank lines between, and what is written beside them last', () => {
  const { all } = sourcesOf(
    [memory(9, 'Late', ' third \n')],
    [moment(2, 'N', 'first'), moment(5, 'N', 'second')],
    NOW,
  );
  expect(joinWords(all, ' own ')).toBe('first\n\nsecond\n\nthird\n\nown');
  expect(joinWords([], '  ')).toBe('');
});
