// What a browser knows of its vault as a whole, and what it finds when a server shows it something else (docs/formats.md,
// "Book"). It must never believe a shorter, another or a broken book, and never call an honest server a liar.
import {
  type BookEntry,
  type BookRow,
  hashOfEntry,
  NO_ENTRY,
  openBookEntry,
  type Pin,
  rootOf,
  sealBookEntry,
} from './book-entry.ts';

export interface Book {
  /** The last entry that was followed; `n` is 0 before the first one. */
  head: Pin;
  /** What lives, by seal number. */
  rows: ReadonlyMap<string, BookRow>;
  /** Seal numbers of what was removed. A server has checkpoints written when it likes: they forget none. */
  removed: ReadonlySet<string>;
  /** The checkpoint that it was read from, or its first entry; null for a book without entries. */
  since: { n: number; at: number } | null;
}

/** A sealed entry as a server shows it. */
export interface ShownEntry {
  n: number;
  sealed: string;
}

/** What is wrong with the entries that a server shows. */
export type ChainFinding =
  /** It has fewer entries than this browser has seen. */
  | { kind: 'went-back'; seen: Pin; shown: number }
  /** What it shows as entry `n` is not the one that this browser has seen. */
  | { kind: 'forked'; n: number }
  /** Entry `n` is missing among those that were asked for, or does not open: it was not written with this vault's key. */
  | { kind: 'unreadable'; n: number }
  /** Entry `n` follows another one than is shown before it. */
  | { kind: 'broken'; n: number }
  /** Entry `n` does not lead to the rows that it says. */
  | { kind: 'wrong-root'; n: number };

/** A change of a vault: what one entry puts and removes. */
export interface Change {
  put?: readonly BookRow[];
  removed?: readonly string[];
}

export interface Author {
  device: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** An entry that waits to be accepted by a server, with the book as it will then be. */
export interface Draft {
  n: number;
  sealed: string;
  next: Book;
}

/** A book without entries. */
export const emptyBook = (): Book => startingAfter({ n: 0, hash: NO_ENTRY });

const startingAfter = (head: Pin): Book => ({ head, rows: new Map(), removed: new Set(), since: null });

/**
 * The keys of a vault, the present one first. Entries that were sealed before a change of key open with the older ones.
 */
export type Keys = readonly Uint8Array[];

async function openWithAny({ n, sealed }: ShownEntry, keys: Keys): Promise<BookEntry | null> {
  for (const key of keys) {
    const entry = await openBookEntry(sealed, n, key).catch(() => null);
    if (entry) return entry;
  }
  return null;
}

/** Seals the entry of a change. @param key the vault key, 32 bytes @throws SealError */
export const draftEntry = (book: Book, change: Change, author: Author, key: Uint8Array): Promise<Draft> =>
  draft(book, { ...change, isCheckpoint: false, abandons: null }, author, key);

/**
 * Seals an entry that has every row, and the number of each that was removed, so that a new browser reads nothing before it.
 * @throws SealError
 */
export const draftCheckpoint = (book: Book, author: Author, key: Uint8Array): Promise<Draft> =>
  draft(
    book,
    { put: [...book.rows.values()], removed: [...book.removed], isCheckpoint: true, abandons: null },
    author,
    key,
  );

/**
 * Seals the entry by which an owner accepts that a server has gone back.
 * @param book as the server has it now, `rows` being those that it still shows
 * @param lost the newest entry that was seen
 * @throws SealError
 */
export const draftAcceptance = (book: Book, lost: Pin, author: Author, key: Uint8Array): Promise<Draft> =>
  draft(book, { put: [...book.rows.values()], isCheckpoint: true, abandons: lost }, author, key);

async function draft(
  book: Book,
  { put = [], removed = [], isCheckpoint, abandons }: Change & Pick<BookEntry, 'isCheckpoint' | 'abandons'>,
  { device, at }: Author,
  key: Uint8Array,
): Promise<Draft> {
  const n = book.head.n + 1;
  const after = applyEach(book, [{ n, at, put, removed, isCheckpoint }]);
  const root = await rootOf(after.rows);
  const entry = { n, previous: book.head.hash, put, removed, root, device, at, isCheckpoint, abandons };
  const sealed = await sealBookEntry(entry, key);
  return { n, sealed, next: { ...after, head: { n, hash: await hashOfEntry(sealed) } } };
}

/** Copies once for all: a year of entries over ten thousand rows would copy for minutes. */
function applyEach(
  book: Pick<Book, 'rows' | 'removed' | 'since'>,
  entries: readonly Pick<BookEntry, 'n' | 'at' | 'put' | 'removed' | 'isCheckpoint'>[],
): Omit<Book, 'head'> {
  const [rows, gone] = [new Map(book.rows), new Set(book.removed)];
  let { since } = book;
  for (const { n, at, put, removed, isCheckpoint } of entries) {
    if (isCheckpoint) {
      rows.clear();
      gone.clear();
    }
    if (isCheckpoint || since === null) since = { n, at };
    for (const row of put) {
      rows.set(row.sealId, row);
      gone.delete(row.sealId);
    }
    for (const sealId of removed) {
      rows.delete(sealId);
      gone.add(sealId);
    }
  }
  return { rows, removed: gone, since };
}

/** What following has led to: the book up to the last entry that holds, and what is wrong with the next, if anything. */
export interface Followed {
  book: Book;
  finding: ChainFinding | null;
  /** What was read, in order. */
  entries: readonly BookEntry[];
  /** Acceptances that were read on the way. */
  acceptances: AcceptanceEntry[];
}

/** An entry by which an owner has accepted a loss. */
export type AcceptanceEntry = BookEntry & { abandons: Pin };

/**
 * Follows a book from where this browser has read it to. The server is asked for that entry once more and all behind it,
 * so that it cannot show another one in its place.
 * @param shown in order, from `book.head.n` on; from 1 where that is 0
 * @param pin what this browser has seen last, where that is behind the head of `book`
 */
export async function followBook(
  book: Book,
  shown: readonly ShownEntry[],
  keys: Keys,
  pin: Pin | null = null,
): Promise<Followed> {
  const { head } = book;
  const problem = (await missingPin(shown, head)) ?? (await missingPin(shown, pin));
  if (problem) return stay(book, problem);
  return extend(book, head.n === 0 ? shown : shown.slice(1), keys);
}

/**
 * Reads a book of which this browser has no rows: from a checkpoint, from its first entry, or from what it has seen last,
 * where a checkpoint follows.
 * @param shown in order
 * @param pin what this browser has seen last; null on a new one, which cannot know what it is not shown
 */
export async function readBook(shown: readonly ShownEntry[], pin: Pin | null, keys: Keys): Promise<Followed> {
  const [first] = shown;
  const problem = await missingPin(shown, pin && first && pin.n < first.n ? null : pin);
  if (problem) return stay(emptyBook(), problem);
  if (!first) return stay(emptyBook(), null);
  const opened = await openWithAny(first, keys);
  if (!opened) return stay(emptyBook(), { kind: 'unreadable', n: first.n });
  // What came before the first one that is shown is taken from its own word.
  return extend(startingAfter({ n: first.n - 1, hash: opened.previous }), shown, keys, {
    needsCheckpoint: first.n !== 1,
  });
}

const stay = (book: Book, finding: ChainFinding | null): Followed => ({
  book,
  finding,
  entries: [],
  acceptances: [],
});

/** What is wrong where a server does not show what was seen: nothing, for a pin that is shown as it was. */
async function missingPin(shown: readonly ShownEntry[], pin: Pin | null): Promise<ChainFinding | null> {
  if (pin === null || pin.n === 0) return null;
  const last = shown.at(-1)?.n ?? 0;
  if (last < pin.n) return { kind: 'went-back', seen: pin, shown: last };
  const found = shown.find(({ n }) => n === pin.n);
  return found && (await hasHash(found, pin.hash)) ? null : { kind: 'forked', n: pin.n };
}

const hasHash = ({ sealed }: ShownEntry, hash: string): Promise<boolean> =>
  hashOfEntry(sealed).then(
    (found) => found === hash,
    () => false,
  );

/** Reads what comes behind the head of a book. The last root stands for those before it: each was made from all rows. */
async function extend(
  book: Book,
  shown: readonly ShownEntry[],
  keys: Keys,
  { needsCheckpoint = false } = {},
): Promise<Followed> {
  const entries: BookEntry[] = [];
  let { head } = book;
  let finding: ChainFinding | null = null;
  for (const one of shown) {
    const { n, sealed } = one;
    const entry = n === head.n + 1 ? await openWithAny(one, keys) : null;
    if (!entry) finding = { kind: 'unreadable', n: head.n + 1 };
    else if (entry.previous !== head.hash) finding = { kind: 'broken', n };
    if (!entry || finding) break;
    entries.push(entry);
    head = { n, hash: await hashOfEntry(sealed) };
  }
  if (needsCheckpoint && !entries.some(({ isCheckpoint }) => isCheckpoint))
    return stay(book, finding ?? { kind: 'broken', n: book.head.n + 1 });
  const last = entries.at(-1) ?? null;
  const after = applyEach(book, entries);
  if (last && (await rootOf(after.rows)) !== last.root) return stay(book, { kind: 'wrong-root', n: last.n });
  return {
    book: { ...after, head },
    finding,
    entries,
    acceptances: entries.filter((entry): entry is AcceptanceEntry => entry.abandons !== null),
  };
}
