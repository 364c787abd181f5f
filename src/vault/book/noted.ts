// What a browser has done without an entry of the book. Until an entry has it, it counts as done: nobody may drop it unnoticed.
import { type Book, type Change, emptyBook } from '../../crypto/book.ts';
import type { BookRow } from '../../crypto/book-entry.ts';
import type { BookMemory, NotedRow } from './book-memory.ts';
import { changeOf } from './book-rows.ts';
import type { Written } from './written.ts';

const REMOVED = 'removed';

/** What a book has of a row, as one text. */
function standing({ rows, removed }: Pick<Book, 'rows' | 'removed'>, sealId: string): string {
  const row = rows.get(sealId);
  return row ? `${row.kind} ${row.leaf}` : removed.has(sealId) ? REMOVED : '';
}

const standingOf = ({ kind, leaf, isRemoved }: NotedRow) => (isRemoved ? REMOVED : `${kind} ${leaf}`);

/** What was noted and stands in no entry. What others have written or deleted since then is newer. */
export const newTo = (book: Book, noted: readonly NotedRow[]): NotedRow[] =>
  noted.filter((one) => standing(book, one.sealId) === one.over && standingOf(one) !== one.over);

export const changeOfNoted = (noted: readonly NotedRow[]): Required<Change> => ({
  put: noted.filter(({ isRemoved }) => !isRemoved),
  removed: noted.flatMap(({ isRemoved, sealId }) => (isRemoved ? sealId : [])),
});

/** A book with what was noted and is new to it. */
function bookWith(book: Book, noted: readonly NotedRow[]): Book {
  const left = newTo(book, noted);
  if (left.length === 0) return book;
  const [rows, removed] = [new Map(book.rows), new Set(book.removed)];
  for (const row of left) {
    const { sealId, isRemoved } = row;
    if (isRemoved) rows.delete(sealId);
    else rows.set(sealId, row);
    if (isRemoved) removed.add(sealId);
    else removed.delete(sealId);
  }
  return { ...book, rows, removed };
}

/**
 * What is noted once something more was done without an entry.
 * @param book as far as it was read last
 * @param now milliseconds since 1970
 */
export function noting(book: Book, noted: readonly NotedRow[], written: Written, now: number): NotedRow[] {
  const left = new Map(newTo(book, noted).map((row) => [row.sealId, row]));
  /** Not copied: an import notes thousands of rows, one by one. */
  const get = (sealId: string): BookRow | undefined => {
    const row = left.get(sealId);
    return row?.isRemoved ? undefined : (row ?? book.rows.get(sealId));
  };
  const { put, removed } = changeOf({ get }, written, now) ?? { put: [], removed: [] };
  const next = new Map(noted.map((row) => [row.sealId, row]));
  for (const row of put) next.set(row.sealId, { ...row, over: standing(book, row.sealId) });
  for (const sealId of removed) {
    const row = get(sealId) ?? { sealId, kind: '', leaf: '', ends: [] };
    next.set(sealId, { ...row, isRemoved: true, over: standing(book, sealId) });
  }
  return [...next.values()];
}

/** The rows as the device of this page remembers them. */
export class NotedRows {
  private readonly memory: Pick<BookMemory, 'loadNoted' | 'saveNoted'>;
  private isOverdue = false;

  constructor(memory: Pick<BookMemory, 'loadNoted' | 'saveNoted'>) {
    this.memory = memory;
  }

  load(): NotedRow[] {
    return this.memory.loadNoted();
  }

  get count(): number {
    return this.load().length;
  }

  /** How many could not be taken in when that was last tried. */
  get unwritten(): number {
    return this.isOverdue ? this.count : 0;
  }

  /** @param book as far as it was read last; null before that */
  add(book: Book | null, written: Written): void {
    this.memory.saveNoted(noting(book ?? emptyBook(), this.load(), written, Date.now()));
  }

  forget(rows: readonly Pick<BookRow, 'sealId'>[]): void {
    const gone = new Set(rows.map(({ sealId }) => sealId));
    this.memory.saveNoted(this.load().filter(({ sealId }) => !gone.has(sealId)));
  }

  /** A book with these rows: nobody may leave them out either. */
  over<Read extends Book | null>(book: Read): Book | Extract<Read, null>;
  over(book: Book | null): Book | null {
    return book && bookWith(book, this.load());
  }

  beginTakingIn(): void {
    this.isOverdue = true;
  }

  /** An entry has these rows, or something newer. */
  endTakingIn(rows: readonly NotedRow[]): void {
    this.forget(rows);
    this.isOverdue = false;
  }
}
