// Searching everything this browser has opened. Pure: no word of it goes anywhere. What a lock withholds is not searched,
// also where its words stand in memory because the lock was put on a moment ago.
import { lockState } from '../../../shared/nouns/memory.ts';
import { listPaths } from '../../../shared/screens.ts';
import { fold, wordsOf } from '../../../vault/entries/search.ts';
import type { EntryKind, EntryKindName, EntryType, OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import type { OpenedRelationship } from '../../../vault/kinds/relationship.ts';
import { entryPath, personPath } from '../../vault/entries/addresses.ts';
import { type Person, peopleOf } from '../../vault/entries/people.ts';

/** Something that was found, and its address. */
export interface Found {
  id: string;
  title: string;
  /** The text in which the words may stand; null for none, and for what is withheld. */
  text: string | null;
  /** What is said beside it. */
  note: string | null;
  to: string;
}

export interface FoundGroup {
  label: string;
  found: Found[];
  /** How many there are, of which the first are in `found`. */
  count: number;
}

/** How many of one kind are shown. */
const SHOWN = 6;

/** What was opened of each kind; a kind is absent while its list is on its way. */
export type OpenedLists = { [K in EntryKindName]?: readonly OpenedEntry[] | undefined };

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
export function findEntries(query: string, lists: OpenedLists, now: number): FoundGroup[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const groups = everyEntryKind.flatMap((kind) => {
    const found = groupOf(kind, lists[kind.noun] ?? [], words, now);
    return kind.noun === 'relationship' ? [found, peopleFound(lists[kind.noun] ?? [], words)] : [found];
  });
  return groups.filter(({ count }) => count > 0);
}

function groupOf<N extends EntryType>(
  kind: EntryKind<N>,
  entries: readonly N['entry'][],
  words: readonly string[],
  now: number,
): FoundGroup {
  function isLocked(entry: N['entry']): boolean {
    const until = kind.lockedUntil(entry);
    return entry.withheld || lockState(until === null ? null : Date.parse(until), now) === 'locked';
  }
  const found = entries.filter(
    (entry) => entry.name !== null && has(isLocked(entry) ? fold(entry.name) : entry.folded, words),
  );
  return group(kind.words.found, named(found, words), (entry) => ({
    id: `${kind.noun}-${entry.id}`,
    title: entry.name ?? '',
    text: isLocked(entry) ? null : entry.content,
    note: isLocked(entry) ? 'Locked' : kind.note(entry),
    to: entryPath(kind.noun, entry) ?? listPaths[kind.noun],
  }));
}

function peopleFound(moments: readonly OpenedEntry[], words: readonly string[]): FoundGroup {
  const people = peopleOf(moments as readonly OpenedRelationship[]).filter(({ folded }) =>
    has(folded, words),
  );
  return group('People', people, (person: Person) => ({
    id: `person-${person.id}`,
    title: person.name,
    text: null,
    note: person.moments.length === 1 ? 'One moment' : `${person.moments.length} moments`,
    to: personPath(person),
  }));
}
