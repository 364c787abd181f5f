// Searching everything this browser has opened. Pure: no word of it goes anywhere. What a lock withholds is not searched,
// also where its words stand in memory because the lock was put on a moment ago.
import { lockState } from '../../../../shared/nouns/memory.ts';
import { entryPath, listPaths } from '../../entries/addresses.ts';
import type { OpenedEntry } from '../../entries/entry-codec.ts';
import type { OpenedMemory } from '../../entries/memories.ts';
import type { OpenedMyth } from '../../entries/myths.ts';
import { type Person, peopleOf } from '../../entries/people.ts';
import type { OpenedRelationship } from '../../entries/relationships.ts';
import { kindOf } from '../../entries/sealed-moment.ts';
import { fold, wordsOf } from '../../entries/search.ts';

/** Something that was found, and its address. */
export interface Found {
  id: string;
  title: string;
  /** The text in which the words may stand; null for none, and for what is withheld. */
  text: string | null;
  /** What is said beside it. */
  note: string | null;
  to: string;
  /** The number of a moment, for a person. */
  personOf?: number;
}

export interface FoundGroup {
  label: string;
  found: Found[];
  /** How many there are, of which the first are in `found`. */
  count: number;
}

/** How many of one kind are shown. */
const SHOWN = 6;

interface Lists {
  memories: readonly OpenedMemory[] | undefined;
  moments: readonly OpenedRelationship[] | undefined;
  myths: readonly OpenedMyth[] | undefined;
}

const has = (folded: string, words: readonly string[]) => words.every((word) => folded.includes(word));

function group<T>(label: string, all: readonly T[], show: (one: T) => Found): FoundGroup {
  return { label, found: all.slice(0, SHOWN).map(show), count: all.length };
}

/** Those whose names have every word come first, each half in its own order. */
function named<T extends Pick<OpenedEntry, 'name'>>(all: readonly T[], words: readonly string[]): T[] {
  const byName = (entry: T) => has(fold(entry.name ?? ''), words);
  return [...all.filter(byName), ...all.filter((entry) => !byName(entry))];
}

/** @param now epoch milliseconds, by which locks are judged */
export function findEntries(query: string, lists: Lists, now: number): FoundGroup[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const isLocked = ({ withheld, timeLockUntil }: OpenedMemory) =>
    withheld || lockState(timeLockUntil === null ? null : Date.parse(timeLockUntil), now) === 'locked';
  const memories = (lists.memories ?? []).filter(
    (memory) => memory.name !== null && has(isLocked(memory) ? fold(memory.name) : memory.folded, words),
  );
  const moments = (lists.moments ?? []).filter(({ name, folded }) => name !== null && has(folded, words));
  const myths = (lists.myths ?? []).filter(({ name, folded }) => name !== null && has(folded, words));
  const people = peopleOf(lists.moments ?? []).filter(({ folded }) => has(folded, words));
  return [
    group('Memories', named(memories, words), (memory) => ({
      id: `memory-${memory.id}`,
      title: memory.name ?? '',
      text: isLocked(memory) ? null : memory.content,
      note: isLocked(memory) ? 'Locked' : null,
      to: entryPath('memory', memory) ?? listPaths.memory,
    })),
    group('Moments', moments, (moment) => ({
      id: `moment-${moment.id}`,
      title: moment.name ?? '',
      text: moment.content,
      note: kindOf(moment),
      to: entryPath('relationship', moment) ?? listPaths.relationship,
    })),
    group('People', people, (person: Person) => ({
      id: `person-${person.id}`,
      title: person.name,
      text: null,
      note: person.moments.length === 1 ? 'One moment' : `${person.moments.length} moments`,
      to: listPaths.relationship,
      personOf: person.id,
    })),
    group('Stories', named(myths, words), (myth) => ({
      id: `myth-${myth.id}`,
      title: myth.name ?? '',
      text: myth.content,
      note: null,
      to: entryPath('myth', myth) ?? listPaths.myth,
    })),
  ].filter(({ count }) => count > 0);
}
