// Who is whom in a ledger.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { knownName, peopleOf, personKey } from './people.ts';
import type { OpenedRelationship } from './relationships.ts';

let id = 1_000;
function momentWith(name: string | null): OpenedRelationship {
  id -= 1;
  const at = new Date(id * 1000).toISOString();
  return {
    id,
    name,
    content: 'Words.',
    withheld: false,
    leftOut: false,
    outside: false,
    changed: null,
    boxed: false,
    leaf: '',
    arrived: null,
    folded: '',
    details: { happenedOn: null, tags: [] },
    detailsText: null,
    at: Date.parse(at),
    kind: 'moment',
    weight: 3,
    createdAt: at,
    updatedAt: at,
    version: 1,
    sealId: null,
    keyFingerprint: null,
  };
}

describe('a name', () => {
  test.each([
    ['Nora', ' nora  ', true],
    ['Nora  Lind', 'NORA lind', true],
    ['Nora\u00a0Lind', 'Nora Lind', true],
    ['Zoe\u0308', 'Zoë', true],
    ['Zoe', 'Zoë', false],
    ['राम', 'रम', false],
    ['さとう', 'さどう', false],
    ['Nora', 'Nora L.', false],
  ])('%s and %s: the same person is %s', (one, other, same) => {
    expect(personKey(one) === personKey(other)).toBe(same);
  });

  test('has one key, however it is spaced or written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(personKey(`  ${name}\t`)).toBe(personKey(name));
        expect(personKey(personKey(name))).toBe(personKey(name));
      }),
    );
  });
});

describe('the people of a ledger', () => {
  test('stand with who was last written of first, under the name that was written last', () => {
    const people = peopleOf([
      momentWith('Nora '),
      momentWith('Father'),
      momentWith('nora'),
      momentWith('NORA'),
    ]);
    expect(people.map(({ name, moments }) => [name, moments.length])).toEqual([
      ['Nora', 3],
      ['Father', 1],
    ]);
  });

  test('hold every readable entry once, and no unreadable one', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.constantFrom('Nora', 'nora', 'Father', 'Ilse'))), (names) => {
        const entries = names.map(momentWith);
        const held = peopleOf(entries).flatMap(({ moments }) => moments);
        expect(new Set(held)).toEqual(new Set(entries.filter(({ name }) => name !== null)));
        expect(held).toHaveLength(new Set(held).size);
      }),
    );
  });
});

describe('a name that is typed', () => {
  const people = peopleOf([momentWith('Nora Lind'), momentWith('Zoë')]);
  test.each([
    [' nora  LIND', 'Nora Lind'],
    ['Zoe\u0308', 'Zoë'],
    ['Zoe', 'Zoe'],
    ['Nora', 'Nora'],
    ['', ''],
  ])('%j becomes %j', (typed, expected) => {
    expect(knownName(typed, people)).toBe(expected);
  });

  test('renames its own person where an entry is changed on purpose', () => {
    expect(knownName('NORA LIND', people, 'Nora Lind')).toBe('NORA LIND');
    expect(knownName('zoë', people, 'Nora Lind')).toBe('Zoë');
  });
});
