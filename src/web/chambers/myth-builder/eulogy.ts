// What a eulogy can be made from: entries that this browser has opened, and the text that they make together. Pure.
import { lockState } from '../../../shared/nouns/memory.ts';
import { eventLabel } from '../../../shared/nouns/relationship.ts';
import type { OpenedMemory } from '../../vault/entries/memories.ts';
import { personKey } from '../../vault/entries/people.ts';
import type { OpenedRelationship } from '../../vault/entries/relationships.ts';
import { fold } from '../../vault/entries/search.ts';

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
  for (const { id, name, content, eventType, at, folded } of moments) {
    if (name === null || content === null) continue;
    all.push({
      key: `moment:${id}`,
      label: `${name.trim()}: ${eventLabel(eventType)}`,
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

/** Whether a text, folded, says a person's name or a part of it. Names within other words do not count. */
function saysName(folded: string, person: string): boolean {
  const name = fold(person.trim());
  if (name === '') return false;
  if (!SPACED.test(name)) return folded.includes(name);
  const parts = name.split(/\s+/).filter((part) => part.length >= PART_MIN);
  return [name, ...parts].some((part) => {
    const literal = part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'u').test(folded);
  });
}

/** The entries about a person: their moments, and the memories that mention them. */
export function offeredFor(sources: readonly Source[], person: string): Source[] {
  const key = personKey(person);
  return sources.filter((source) =>
    source.person === null ? saysName(source.folded, person) : source.person === key,
  );
}

/** What is chosen until something else is: the person's moments. */
export const chosenFor = (sources: readonly Source[], person: string): string[] =>
  sources.filter((source) => source.person === personKey(person)).map(({ key }) => key);

/** The words of entries in the order in which they happened, and what is written beside them, with blank lines between. */
export function joinWords(sources: readonly Source[], beside: string): string {
  const words = sources.toSorted((a, b) => a.at - b.at).map(({ content }) => content.trim());
  return [...words, beside.trim()].filter((text) => text !== '').join('\n\n');
}
