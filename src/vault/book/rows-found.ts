// What is wrong with a list that was shown, row by row: it is compared with the book, and nothing is asked or kept. Pure.
import type { Book, Change } from '../../crypto/book.ts';
import { compareRows } from '../../crypto/book-comparison.ts';
import type { BookRow } from '../../crypto/book-entry.ts';
import type { ShownBookRow } from './book-rows.ts';
import type { RowFound } from './book-state.ts';

/**
 * @param book null for one that is wrong itself: it says nothing of single rows
 * @param kinds of the list
 * @param now milliseconds since 1970
 */
export function rowsFound(
  book: Book | null,
  kinds: ReadonlySet<string>,
  rows: readonly ShownBookRow[],
  now: number,
): RowFound[] {
  if (!book) return [];
  const shown = new Map(rows.flatMap((row) => (row.isOver ? [] : [[row.sealId, row] as const])));
  return compareRows(book, kinds, rows, now).map((finding) => {
    const sealId = 'row' in finding ? finding.row.sealId : finding.sealId;
    const row = shown.get(sealId) ?? null;
    const kind = 'row' in finding ? finding.row.kind : (row?.kind ?? '');
    return { what: finding.kind, sealId, kind, shown: row };
  });
}

/** What was found in several lists: a row that is missing in one and stands in another was moved there. */
export function withoutMoved(found: readonly RowFound[]): RowFound[] {
  const shown = new Set(found.flatMap(({ shown, sealId }) => (shown ? [sealId] : [])));
  return found.filter((one) => one.shown !== null || !shown.has(one.sealId));
}

/** A row that is shown, as the book keeps it. */
export const bookRow = ({ sealId, kind, leaf, ends }: ShownBookRow): BookRow => ({
  sealId,
  kind,
  leaf,
  ends,
});

/** What takes rows that were found as they are shown. */
export const changeOfFound = (found: readonly RowFound[]): Change => ({
  put: found.flatMap(({ shown }) => (shown ? [bookRow(shown)] : [])),
  removed: found.flatMap(({ shown, sealId }) => (shown ? [] : [sealId])),
});
