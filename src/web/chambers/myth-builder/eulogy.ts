// What a eulogy can be made from: entries that this browser has opened, and the text that they make together. Pure.
import { lockState } from '../../../shared/nouns/memory.ts';
import { kindOf } from '../../../vault/entries/sealed-moment.ts';
import { fold } from '../../../vault/entries/search.ts';
import type { OpenedMemory } from '../../vault/entries/memories.ts';
import { personKey } from '../../vault/entries/people.ts';
import type { OpenedRelationship } from '../../vault/entries/relationships.ts';

/** An entry whose words can be taken. */
export interface Source {
  /** Such as `memory:12`. */
  key: string;
  /** What the entry is: its title, or who it is about and what kind of moment. */
  label: string;
  kind: 'memory' | 'moment';
  /** Whom a moment is about, as `personKey`; null of a memory. */
  person: string | null;
  content: string;
  /** Epoch milliseconds. */
  at: number;
  folded: string;
}

export interface Sources {
  /** Newest first. */
  all: Source[];
  /** How many are not offered: time-locked ones, and those that do not open with this key. */
  locked: number;
  unreadable: number;
}

const isLocked = ({ timeLockUntil, withheld }: OpenedMemory, now: number) =>
  withheld || (timeLockUntil !== null && lockState(Date.parse(timeLockUntil), now) === 'locked');

/** @param now epoch milliseconds */
export function sourcesOf(
  memories: readonly OpenedMemory[],
  moments: readonly OpenedRelationship[],
  now: number,
): Sources {
  const open = memories.filter((memory) => !isLocked(memory, now));
  const all: Source[] = [];
  for (const { id, name, content, at, folded } of open) {
    if (name === null || content === null) continue;
    all.push({ key: `memory:${id}`, label: name, kind: 'memory', person: null, content, at, folded });
  }
  for (const moment of moments) {
    const { id, name, content, at, folded } = moment;
    if (name === null || content === null) continue;
    const kind = kindOf(moment);
    all.push({
      key: `moment:${id}`,
      label: kind === null ? name.trim() : `${name.trim()}: ${kind}`,
      kind: 'moment',
      person: personKey(name),
      content,
      at,
      folded,
    });
  }
  return {
    all: all.sort((a, b) => b.at - a.at),
    locked: memories.length - open.length,
    unreadable: open.length + moments.length - all.length,
  };
}

/** Letters of scripts that part their words by spaces. */
const SPACED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
const PART_MIN = 3;

/**
 * What finds a person's name, or a part of it, in a folded text. Names within other words do not count.
 * @returns null where there is no name
 */
function nameFinder(person: string): RegExp | null {
  const name = fold(person.trim());
  if (name === '') return null;
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (!SPACED.test(name)) return new RegExp(literal(name), 'u');
  const parts = name.split(/\s+/).filter((part) => part.length >= PART_MIN);
  const any = [name, ...parts].map(literal).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'u');
}

/** The entries about a person: their moments, and the memories that mention them. */
export function offeredFor(sources: readonly Source[], person: string): Source[] {
  const key = personKey(person);
  const finder = nameFinder(person);
  return sources.filter((source) =>
    source.person === null ? finder?.test(source.folded) : source.person === key,
  );
}

/** What is chosen until something else is: the person's moments. */
export function chosenFor(sources: readonly Source[], person: string): string[] {
  const wanted = personKey(person);
  return sources.filter((source) => source.person === wanted).map(({ key }) => key);
}

/** The words of entries in the order in which they happened, and what is written beside them, with blank lines between. */
export function joinWords(sources: readonly Source[], beside: string): string {
  const words = sources.toSorted((a, b) => a.at - b.at).map(({ content }) => content.trim());
  return [...words, beside.trim()].filter((text) => text !== '').join('\n\n');
}
