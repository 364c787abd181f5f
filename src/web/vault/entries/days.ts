// Which entries a day shows: those that were written last, and those of the same day in other years. Pure: the present is
// handed in.
import { isExact } from '../../../shared/edtf.ts';
import { withoutSigns } from '../../../vault/entries/without-signs.ts';
import type { EntryKind, EntryType, OpenedEntry } from '../../../vault/kinds/entry-kind.ts';

/** An entry, and what kind it is of. */
export interface KnownEntry {
  kind: EntryKind<EntryType>;
  entry: OpenedEntry;
}

/** The newest first, by when they were written. */
export const writtenLast = (known: readonly KnownEntry[], most: number): KnownEntry[] =>
  [...known]
    .sort(({ entry: a }, { entry: b }) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    .slice(0, most);

/** Until when an entry is locked, in epoch milliseconds; null where nothing locks it at this moment. */
export function lockedUntil({ kind, entry }: KnownEntry, now: number): number | null {
  const until = kind.lockedUntil(entry);
  return until !== null && Date.parse(until) > now ? Date.parse(until) : null;
}

const isReadable = (known: KnownEntry, now: number) =>
  known.entry.content !== null && !known.entry.changed && lockedUntil(known, now) === null;

/** What happened on this day of another year, the latest year first. What cannot be read here and now is not among it. */
export function onThisDay(known: readonly KnownEntry[], now: number): KnownEntry[] {
  const today = new Date(now);
  return known
    .filter((one) => {
      const { happenedOn } = one.entry.details;
      const day = new Date(one.entry.at);
      return (
        (happenedOn === null || isExact(happenedOn)) &&
        day.getDate() === today.getDate() &&
        day.getMonth() === today.getMonth() &&
        day.getFullYear() < today.getFullYear() &&
        isReadable(one, now)
      );
    })
    .sort((a, b) => b.entry.at - a.entry.at);
}

/** How much of a text its first line is looked for in. */
const BEGINNING = 400;

/** The first line of an entry without the signs of Markdown; null where it cannot be read here and now. */
export function firstLine(known: KnownEntry, now: number): string | null {
  const { content } = known.entry;
  if (content === null || !isReadable(known, now)) return null;
  return beginningOf(content, known.kind.label(known.entry));
}

/**
 * The first line of a text without the signs of Markdown; null where it has none.
 * @param title what stands beside it and is not said twice: a text that came without a title is called by its first line
 */
export function beginningOf(text: string, title: string | null): string | null {
  const [first, second] = withoutSigns(text.trimStart().slice(0, BEGINNING))
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
  if (first === undefined) return null;
  if (title === null) return first;
  if (first === title) return second ?? null;
  // A long first line is shortened where it becomes a title.
  const said = title.endsWith('…') ? title.slice(0, -1) : '';
  return said !== '' && first.startsWith(said) ? `…${first.slice(said.length)}` : first;
}

/** Whether an entry says of itself that it happened on another day than the one on which it was written. */
export function happenedElsewhen({ at, createdAt, details: { happenedOn } }: OpenedEntry): boolean {
  if (happenedOn === null) return false;
  return !isExact(happenedOn) || new Date(at).toDateString() !== new Date(createdAt).toDateString();
}
