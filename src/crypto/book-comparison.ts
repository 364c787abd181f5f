// What of the rows that a server shows is not as a vault's book has them. It must never call an honest server a liar. Pure.

import type { Book } from './book.ts';
import { type BookRow, DELETED, type Ending } from './book-entry.ts';
import { isSameLeaf } from './book-leaf.ts';

/** What a row that a server shows, or does not show, says of it. */
export type RowFinding =
  /** In the book, and not shown. */
  | { kind: 'missing'; row: BookRow }
  /** Shown otherwise than it was written last. */
  | { kind: 'changed'; row: BookRow }
  /** Removed, and shown again. */
  | { kind: 'returned'; sealId: string }
  /** Not in the book: from a letterbox, a webhook, a browser without a book, or planted. */
  | { kind: 'unknown'; sealId: string };

/** How much a server's clock and ours may differ before an expiry counts as too early, in milliseconds. */
export const CLOCKS_DIFFER = 10 * 60_000;

/** A row that a server shows. */
export interface ShownRow extends Pick<BookRow, 'sealId' | 'leaf'> {
  /** Its second seal is withheld, so that its leaf has nothing there. */
  isWithheld?: boolean;
  /** Its words are gone, as the server says: then it has no leaf. */
  isOver?: boolean;
}

/**
 * What a server shows of some kinds, compared with the book.
 * @param shown every row of these kinds, as it was listed when the book was at its head
 * @param now milliseconds since 1970
 */
export function compareRows(
  { rows, removed }: Book,
  kinds: ReadonlySet<string>,
  shown: readonly ShownRow[],
  now: number,
): RowFinding[] {
  const findings: RowFinding[] = [];
  const seen = new Set<string>();
  const over = new Set(shown.flatMap(({ sealId, isOver }) => (isOver ? sealId : [])));
  for (const { sealId, leaf, isWithheld } of shown.filter(({ isOver }) => !isOver)) {
    const row = rows.get(sealId);
    // A number that is shown twice stands for two rows, of which one at most is what the book has: no honest server does that.
    if (seen.has(sealId)) findings.push(row ? { kind: 'changed', row } : { kind: 'unknown', sealId });
    else if (!row) findings.push({ kind: removed.has(sealId) ? 'returned' : 'unknown', sealId });
    else if (!kinds.has(row.kind))
      findings.push(row.kind.startsWith(DELETED) ? { kind: 'returned', sealId } : { kind: 'changed', row });
    else if (!isSameLeaf(row.leaf, leaf, isWithheld)) findings.push({ kind: 'changed', row });
    seen.add(sealId);
  }
  for (const row of rows.values()) {
    if (kinds.has(row.kind) && !seen.has(row.sealId) && !mayHaveEnded(row, now, over.has(row.sealId)))
      findings.push({ kind: 'missing', row });
  }
  return findings;
}

/**
 * Whether a row may have gone by a rule that was declared for it.
 * @param isOver whether the server shows the row itself, without its words
 */
export const mayHaveEnded = ({ ends }: BookRow, now: number, isOver = false): boolean =>
  ends.some((end: Ending) => {
    if (end.by === 'expiry') return end.at <= now + CLOCKS_DIFFER;
    // What was read to its end stays in its list, without its words, until it expires or is deleted.
    return end.by !== 'reading' || isOver;
  });
