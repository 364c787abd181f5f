// Entries as memories have room for them: nothing is cut off, what is too large is split, what is no word is put right.
// Pure.
import { ENTRY_CONTENT_MAX } from '../../shared/sealed-kinds.ts';
import { tidyTags } from '../../vault/entries/details.ts';
import type { ParsedEntry } from './imported-entry.ts';
import { firstWords, shortTitle } from './titles.ts';

/** An entry that one memory has room for. */
export interface FittingEntry extends ParsedEntry {
  /** Which of several parts it is: 1 of 1 where it is whole. */
  part: number;
  parts: number;
  /** At which character of the entry's own text its text begins; below 0 where something stands before that. */
  from: number;
}

/** A seal is 28 bytes longer than what it holds: facts and text, padded to 256 bytes (docs/formats.md, "Seal"). */
const SEALED_BYTES = Math.floor(ENTRY_CONTENT_MAX / 4) * 3;
/** Room for the facts of a memory: its version, its lock and its author's times, each behind its length. */
const FACTS_MAX = 256;
/** The most a memory holds, in bytes of UTF-8. */
export const CONTENT_BYTES_MAX = Math.floor((SEALED_BYTES - 28) / 256) * 256 - 1 - FACTS_MAX;
/** An entry is made no longer than this, so that a line of tags can be added to it. */
const FITTING_BYTES = CONTENT_BYTES_MAX - 4096;

const LONE_SURROGATES = /[\ud800-\udfff]/gu;

/**
 * One entry as the memories that hold it; none where it says nothing.
 * @param most bytes of one memory
 */
export function fitEntry(entry: ParsedEntry, most: number = FITTING_BYTES): FittingEntry[] {
  const told = wellFormed(entry.content).trimEnd();
  const given = wellFormed(entry.title).replace(/\s+/g, ' ').trim();
  if (given === '' && told.trim() === '') return [];
  const { tags, others } = partTags(entry.tags.map(wellFormed));
  const title = shortTitle(given || firstWords(told) || entry.happenedOn || 'Untitled');
  const body = told.trim() === '' ? given : told;
  const content = [
    // What a title has no room for stands in the text, where it is not the same words anyway.
    given !== '' && title !== given && !body.startsWith(given) && given,
    body,
    others.length > 0 && `Tags: ${others.join(', ')}`,
  ];
  const [before] = content;
  const pieces = splitText(content.filter((text) => text !== false).join('\n\n'), most);
  const froms = [before ? -before.length - 2 : 0];
  for (const piece of pieces) froms.push((froms.at(-1) ?? 0) + piece.length);
  return pieces.map((piece, at) => ({
    ...entry,
    from: froms[at] ?? 0,
    tags,
    title: pieces.length === 1 ? title : `${title} (${at + 1} of ${pieces.length})`,
    content: piece,
    part: at + 1,
    parts: pieces.length,
  }));
}

// A lone half of a character has no UTF-8: sealed, it would say something else than what was shown.
const wellFormed = (text: string) => text.replace(LONE_SURROGATES, '\ufffd');

/** The tags that an entry has room for, and those that stand in its text instead. */
export function partTags(all: readonly string[]): { tags: string[]; others: string[] } {
  const trimmed = all.map((tag) => tag.replace(/\s+/g, ' ').trim()).filter(Boolean);
  const tags = tidyTags(trimmed);
  const kept = new Set(tags.map((tag) => tag.toLowerCase()));
  const others = trimmed.filter((tag) => !kept.has(tag.normalize('NFC').toLowerCase()));
  return { tags, others: [...new Set(others)] };
}

const encoder = new TextEncoder();

/** A text in pieces of at most so many bytes, parted between paragraphs, lines or words; joined they are the text again. */
export function splitText(text: string, most: number): string[] {
  const pieces: string[] = [];
  const room = new Uint8Array(most);
  let rest = text;
  // No UTF-16 unit takes more than three bytes.
  while (rest.length * 3 > most) {
    const { read } = encoder.encodeInto(rest.length > most ? rest.slice(0, most) : rest, room);
    if (read >= rest.length) break;
    const at = goodPlace(rest, read);
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...pieces, rest];
}

/** Where a text is parted, at most at `end`: never within the last character that fits. */
function goodPlace(text: string, end: number): number {
  const from = Math.floor(end * 0.75);
  for (const between of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(between, end - between.length);
    if (at > from) return at + between.length;
  }
  return end;
}
