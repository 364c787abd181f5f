// The people of a ledger, found in what this browser has opened. Pure: no name of it goes anywhere.

import { fold } from '../../../vault/entries/search.ts';
import type { OpenedRelationship } from './relationships.ts';

export interface Person {
  /** What their entries have in common. */
  key: string;
  /** The number of their newest entry, for lists. */
  id: number;
  /** As it was last written. */
  name: string;
  /** Newest first. */
  moments: OpenedRelationship[];
  /** Every way in which they were written, folded, for the search. */
  folded: string;
}

/**
 * Names that differ by case and spaces alone are one person's. Accents and vowel signs count: without them, many names
 * of other scripts would be the same.
 */
export function personKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The people in entries that are listed newest first: who was last written of stands first. */
export function peopleOf(entries: readonly OpenedRelationship[]): Person[] {
  const people = new Map<string, Person>();
  for (const entry of entries) {
    if (entry.name === null) continue;
    const key = personKey(entry.name);
    const person = people.get(key);
    if (person) person.moments.push(entry);
    else {
      const name = entry.name.trim();
      people.set(key, { key, id: entry.id, name, moments: [entry], folded: fold(key) });
    }
  }
  return [...people.values()];
}

/**
 * A name as it is to be written: who is known already keeps the name that they have, also when it was typed in other letters
 * or with other spaces.
 * @param own the name that an entry has which is changed: spelling that one anew renames somebody on purpose
 */
export function knownName(typed: string, people: readonly Person[], own: string | null = null): string {
  const key = personKey(typed);
  if (own !== null && personKey(own) === key) return typed;
  return people.find((person) => person.key === key)?.name ?? typed;
}
