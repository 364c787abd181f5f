// The people of a ledger, found in what this browser has opened. Pure: no name of it goes anywhere.

import { fold } from '../../../vault/entries/search.ts';
import type { OpenedRelationship } from './relationships.ts';

export interface Person {
  /** What their entries have in common. */
  key: string;
  /** The number of their newest entry, for lists. */
  id: number;
  /** Stands for them in an address: the seal number of the moment that was kept first. */
  number: string;
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
      people.set(key, { key, id: entry.id, number: '', name, moments: [entry], folded: fold(key) });
    }
  }
  for (const person of people.values()) person.number = firstKept(person.moments).sealId ?? '';
  return [...people.values()];
}

const firstKept = (moments: readonly OpenedRelationship[]) =>
  moments.reduce((first, moment) => (moment.id < first.id ? moment : first));

/** Whom a number stands for: every moment's leads to its person, so that an address goes on when the first is deleted. */
export const personOf = (number: string, people: readonly Person[]): Person | undefined =>
  people.find(({ moments }) => moments.some(({ sealId }) => sealId === number));

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
