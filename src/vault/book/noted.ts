// What a browser has done without an entry of the book. Until an entry has it, it counts as done: nobody may drop it unnoticed.
import { type Book, type Change, emptyBook } from '../../crypto/book.ts';
import { type BookEntry, type BookRow, DELETED } from '../../crypto/book-entry.ts';
import { isSameLeaf } from '../../crypto/book-leaf.ts';
import type { BookMemory, NotedRow } from './book-memory.ts';
import { changeOf, type ShownBookRow, versionOf } from './book-rows.ts';
import type { RowFound } from './book-state.ts';
import type { Written } from './written.ts';

const REMOVED = 'removed';

/** What a book has of a row, as one text. */
function standing({ rows, removed }: Pick<Book, 'rows' | 'removed'>, sealId: string): string {
  const row = rows.get(sealId);
  return row ? `${row.kind} ${row.leaf}` : removed.has(sealId) ? REMOVED : '';
}

const standingOf = ({ kind, leaf, isRemoved }: NotedRow) => (isRemoved ? REMOVED : `${kind} ${leaf}`);

/** Whether it is a later version than the book's: of what two devices have sent alone, either may come into the book first. */
const isLater = ({ kind, versionNumber = 0 }: NotedRow, row?: BookRow): boolean =>
  row?.kind === kind && versionNumber > (row.versionNumber ?? versionNumber);

/** What was noted and stands in no entry. What others have written or deleted since then is newer. */
export const newTo = (book: Book, noted: readonly NotedRow[]): NotedRow[] =>
  noted.filter((one) => {
    const now = standing(book, one.sealId);
    const isOld = now === one.over || one.own?.includes(now) || isLater(one, book.rows.get(one.sealId));
    return isOld && standingOf(one) !== now;
  });

/** A row to be noted, with what this browser has done of it before. @param before what was noted or sent, of any row */
export function withOwn(row: NotedRow, before: readonly NotedRow[]): NotedRow {
  const others = before.filter(({ sealId }) => sealId === row.sealId);
  const own = new Set(others.flatMap((one) => [standingOf(one), ...(one.own ?? [])]));
  for (const known of [row.over, standingOf(row)]) own.delete(known);
  return own.size > 0 ? { ...row, own: [...own] } : row;
}

/** What was acknowledged of a row and is in no entry, one version after the other. */
const versionsOf = ({
  earlier = [],
  sealId,
  kind,
  leaf,
  ends,
  versionNumber,
}: NotedRow): readonly BookRow[] =>
  versionNumber === undefined ? earlier : [...earlier, { sealId, kind, leaf, ends, versionNumber }];

/** A row to be noted in the place of another, which is in no entry either. */
export function withEarlier(row: NotedRow, before?: NotedRow): NotedRow {
  const earlier = before ? versionsOf(before) : [];
  return earlier.length > 0 ? { ...row, earlier } : row;
}

/**
 * What takes noted rows in: what is new to the book, and each version of what others have written over since, before what they wrote.
 * Whoever has noted another row of such a version knows by it that theirs was dropped. Null where there is nothing to take in.
 */
export function changeOfNoted(book: Book, noted: readonly NotedRow[]): Required<Change> | null {
  const isNew = new Set(newTo(book, noted));
  const put = noted.flatMap((row) => {
    const now = book.rows.get(row.sealId);
    if (isNew.has(row)) return row.isRemoved ? [] : [...(row.earlier ?? []), row];
    const unsaid = now && standing(book, row.sealId) !== standingOf(row) ? versionsOf(row) : [];
    return now && unsaid.length > 0 ? [...unsaid, now] : [];
  });
  const removed = [...isNew].flatMap(({ isRemoved, sealId }) => (isRemoved ? sealId : []));
  return put.length + removed.length > 0 ? { put, removed } : null;
}

/** Whether an entry has another row of a version than was noted of it: a server that keeps what it acknowledges has one of each number. */
const contradicts = ({ leaf, versionNumber }: BookRow, noted: NotedRow): boolean =>
  versionsOf(noted).some((mine) => mine.versionNumber === versionNumber && !isSameLeaf(mine.leaf, leaf));

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
 * @param tried what this browser has sent, and what was not acknowledged
 */
export function noting(
  book: Book,
  noted: readonly NotedRow[],
  written: Written,
  now: number,
  tried: readonly NotedRow[] = [],
): NotedRow[] {
  const left = new Map(newTo(book, noted).map((row) => [row.sealId, row]));
  /** Not copied: an import notes thousands of rows, one by one. */
  const get = (sealId: string): BookRow | undefined => {
    const row = left.get(sealId);
    return row?.isRemoved ? undefined : (row ?? book.rows.get(sealId));
  };
  const { put, removed } = changeOf({ get }, written, now) ?? { put: [], removed: [] };
  const versions = new Map(
    written.put?.map(({ sealId, sealed, version }) => [sealId, { ...sealed, version }]),
  );
  const next = new Map(noted.map((row) => [row.sealId, row]));
  const note = (row: Omit<NotedRow, 'over'>) => {
    const before = next.get(row.sealId);
    const { isDropped: _, ...others } = row;
    const anew = withEarlier({ ...others, over: standing(book, row.sealId) }, before);
    next.set(row.sealId, withOwn(anew, before ? [before, ...tried] : tried));
  };
  for (const row of put) {
    const version = versionOf(versions.get(row.sealId) ?? {});
    note(version ? { ...row, version } : row);
  }
  for (const sealId of removed)
    note({ ...(get(sealId) ?? { sealId, kind: '', leaf: '', ends: [] }), isRemoved: true });
  return [...next.values()];
}

type Memory = Pick<BookMemory, 'loadNoted' | 'saveNoted' | 'loadTried'>;

/** The rows as the device of this page remembers them. */
export class NotedRows {
  private readonly memory: Memory;
  private isOverdue = false;

  constructor(memory: Memory) {
    this.memory = memory;
  }

  /** What the book may take in. */
  load(): NotedRow[] {
    return this.memory.loadNoted().filter(({ isOvertaken }) => !isOvertaken);
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
    const [noted, tried] = [this.load(), this.memory.loadTried()];
    const next = noting(book ?? emptyBook(), noted, written, Date.now(), tried);
    const anew = new Set(next.map(({ sealId }) => sealId));
    this.memory.saveNoted([...this.overtaken().filter(({ sealId }) => !anew.has(sealId)), ...next]);
  }

  forget(rows: readonly Pick<BookRow, 'sealId'>[]): void {
    const gone = new Set(rows.map(({ sealId }) => sealId));
    this.memory.saveNoted(this.memory.loadNoted().filter(({ sealId }) => !gone.has(sealId)));
  }

  /** A book with these rows: nobody may leave them out either. */
  over<Read extends Book | null>(book: Read): Book | Extract<Read, null>;
  over(book: Book | null): Book | null {
    return book && bookWith(book, this.load());
  }

  /** What a change puts into the book, behind what was acknowledged of the same rows and is not there yet. */
  before(put: readonly BookRow[]): BookRow[] {
    const noted = new Map(this.load().map((row) => [row.sealId, row]));
    return put.flatMap((row) => {
      const before = noted.get(row.sealId);
      return before ? [...versionsOf(before), row] : row;
    });
  }

  /** Looks for rows that were dropped in entries that were read. */
  hold(entries: readonly Pick<BookEntry, 'put' | 'removed'>[]): void {
    const noted = new Map(this.memory.loadNoted().map((row) => [row.sealId, row]));
    if (noted.size === 0) return;
    /** The leaves that rows had when they were deleted; '' for what was removed. */
    const gone = new Map<string, string>();
    for (const { put, removed } of entries) {
      for (const row of put) {
        const { sealId, kind, leaf, versionNumber = 1 } = row;
        const mine = noted.get(sealId);
        if (!mine) continue;
        const isAnother = (gone.get(sealId) ?? leaf) !== leaf && !mine.own?.includes(REMOVED);
        // What was erased, as it is some time after it was deleted, and is brought again begins with its first version.
        if (isAnother && versionNumber === 1) noted.delete(sealId);
        else if (contradicts(row, mine)) noted.set(sealId, { ...mine, isDropped: true });
        if (kind.startsWith(DELETED)) gone.set(sealId, leaf);
        else gone.delete(sealId);
      }
      for (const sealId of removed) if (noted.get(sealId)?.over !== REMOVED) gone.set(sealId, '');
    }
    this.memory.saveNoted([...noted.values()]);
  }

  beginTakingIn(): void {
    this.isOverdue = true;
  }

  /**
   * An entry has these rows, or something else that may be newer. What was done of one meanwhile, as in another tab, stays.
   * @param book as it is now
   */
  endTakingIn(rows: readonly NotedRow[], book: Book): void {
    const taken = new Set(rows.map((row) => `${row.sealId} ${standingOf(row)}`));
    const noted = this.memory.loadNoted().flatMap((row): NotedRow[] => {
      if (!taken.has(`${row.sealId} ${standingOf(row)}`)) return [row];
      const isOther =
        row.version && book.rows.has(row.sealId) && standing(book, row.sealId) !== standingOf(row);
      return isOther ? [{ ...row, isOvertaken: true }] : [];
    });
    this.memory.saveNoted(noted);
    this.isOverdue = false;
  }

  private overtaken = (): NotedRow[] => this.memory.loadNoted().filter(({ isOvertaken }) => isOvertaken);

  /** Whoever follows the book from here takes it as it is. */
  forgetOvertaken = (): void => this.forget(this.overtaken());

  /**
   * Rows that a server has taken without an entry and has dropped, whatever the book says of them now: they are shown in a version that is
   * no later and has something else, or the book has had something else of their version. Those of which that cannot be said any more are forgotten.
   * @param book as far as it is known to be right
   */
  dropped(book: Book, rows: readonly ShownBookRow[]): RowFound[] {
    const overtaken = this.overtaken();
    if (overtaken.length === 0) return [];
    const shown = new Map(rows.map((row) => [row.sealId, row]));
    const found: RowFound[] = [];
    const settled: NotedRow[] = [];
    for (const { version, ...row } of overtaken) {
      const { sealId, leaf, isDropped } = row;
      const now = shown.get(sealId);
      const isUnderIts = now?.version?.keyFingerprint === version?.keyFingerprint;
      const isNoLater = isUnderIts && (now?.version?.n ?? 0) <= (version?.n ?? 0);
      if (now && now.leaf !== leaf && (isDropped || isNoLater))
        found.push({ what: 'changed', sealId, kind: now.kind, shown: now });
      else if (now || !book.rows.has(sealId)) settled.push(row);
    }
    if (settled.length > 0) this.forget(settled);
    return found;
  }
}
