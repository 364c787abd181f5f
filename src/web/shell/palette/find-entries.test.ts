import { expect, test } from 'vitest';
import { HOUR } from '../../../shared/time.ts';
import { fold } from '../../../vault/entries/search.ts';
import type { OpenedMemory } from '../../vault/entries/memories.ts';
import type { OpenedMyth } from '../../vault/entries/myths.ts';
import type { OpenedRelationship } from '../../vault/entries/relationships.ts';
import { findEntries } from './find-entries.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
let ids = 0;

/** An entry as its list has it. */
function entry(name: string | null, content: string | null, more: object = {}) {
  ids += 1;
  const folded = fold([name, content].join('\n'));
  return { id: ids, sealId: `seal-${ids}`, name, content, withheld: content === null, folded, ...more };
}
const memory = (name: string | null, content: string | null, timeLockUntil: string | null = null) =>
  entry(name, content, { timeLockUntil }) as unknown as OpenedMemory;
const moment = (name: string, content: string) =>
  entry(name, content, { kind: 'argument', createdAt: '2026-01-01' }) as unknown as OpenedRelationship;
const myth = (name: string, content: string) => entry(name, content) as unknown as OpenedMyth;

function find(
  query: string,
  lists: { memories?: OpenedMemory[]; moments?: OpenedRelationship[]; myths?: OpenedMyth[] },
) {
  const { memories, moments, myths } = lists;
  return findEntries(query, { memory: memories, relationship: moments, myth: myths }, NOW);
}

test('memories, moments, people and stories are found by every word, and lead to their addresses', () => {
  const lists = {
    memories: [memory('The bell', 'Under the lake.')],
    moments: [moment('Bell the smith', 'We quarrelled over a lake.')],
    myths: [myth('A lake of bells', 'Once.')],
  };
  const found = find('lake BELL', lists);
  expect(found.map(({ label }) => label)).toEqual(['Memories', 'Moments', 'Stories']);
  expect(found.map(({ found: [first] }) => first?.to)).toEqual([
    `/memory-vault/${lists.memories[0]?.sealId}`,
    `/relationship-ledger/${lists.moments[0]?.sealId}`,
    `/myth-builder/${lists.myths[0]?.sealId}`,
  ]);
  const [person] = find('smith', lists).find(({ label }) => label === 'People')?.found ?? [];
  expect(person).toMatchObject({ to: `/relationship-ledger/people/${lists.moments[0]?.sealId}` });
  expect(find('bell absent', lists)).toEqual([]);
  expect(find(' ', lists)).toEqual([]);
});

test('what is locked is found by its title, and by no word of its text', () => {
  const later = new Date(NOW + HOUR).toISOString();
  const withheld = memory('For the wedding', null, later);
  // Locked a moment ago: its words still stand in memory.
  const stillHere = memory('For the funeral', 'A secret orchard.', later);
  const memories = [withheld, stillHere];
  expect(find('orchard', { memories })).toEqual([]);
  const [locked] = find('funeral', { memories })[0]?.found ?? [];
  expect(locked).toMatchObject({ note: 'Locked', text: null });
  const earlier = new Date(NOW - HOUR).toISOString();
  expect(find('orchard', { memories: [memory('Open', 'A secret orchard.', earlier)] })).toHaveLength(1);
});

test('what no key opens is not found', () => {
  expect(find('null', { memories: [memory(null, null)] })).toEqual([]);
});

test('those that have the words in their titles come first, and only some are shown', () => {
  const memories = [
    ...Array.from({ length: 8 }, (_, i) => memory(`Day ${i}`, 'The bell rang.')),
    memory('The bell', 'It is old.'),
  ];
  const [group] = find('bell', { memories });
  expect(group?.count).toBe(9);
  expect(group?.found).toHaveLength(6);
  expect(group?.found[0]?.title).toBe('The bell');
  expect(group?.found[1]?.text).toBe('The bell rang.');
});
