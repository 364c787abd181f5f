// What was sent and not acknowledged. A server that refuses a new row, or never answers, has it all the same: it may show it later as if
// it had kept it, so that whoever wrote it lets go of the draft, and then drop it. No entry of the book would miss it. So what a list
// shows of it counts as written. It has the entry as well, and may show that once its author has written something else (noted.ts).
import { type Book, emptyBook } from '../../crypto/book.ts';
import { isSameLeaf } from '../../crypto/book-leaf.ts';
import type { BookMemory, NotedRow } from './book-memory.ts';
import type { ShownBookRow } from './book-rows.ts';
import { newTo, noting, withEarlier, withOwn } from './noted.ts';
import type { Written } from './written.ts';

/** How many are remembered: whoever tries for ever drops the first. */
const TRIED_MAX = 1_000;

type Memory = Pick<BookMemory, 'loadTried' | 'saveTried' | 'loadNoted' | 'saveNoted'>;

const nameOf = ({ sealId, kind, leaf, isRemoved }: NotedRow) => `${sealId} ${isRemoved || kind} ${leaf}`;

/** Remembers what is about to be sent. @param known as far as the book was read last */
export function noteTried(memory: Memory, known: Book | null, { put = [], ...others }: Written): void {
  const book = known ?? emptyBook();
  const now = Date.now();
  // What is not in the book is only put into it.
  const own = [
    ...noting(book, [], { put }, now),
    ...noting(book, [], others, now).filter(({ over }) => over !== ''),
  ];
  if (own.length === 0) return;
  const again = new Set(own.map(nameOf));
  const before = newTo(book, memory.loadTried()).filter((row) => !again.has(nameOf(row)));
  memory.saveTried([...before, ...own].slice(-TRIED_MAX));
}

/** It was acknowledged. */
export function forgetTried(memory: Memory, written: Written): void {
  const { put = [], resealed = [], deleted = [], restored = [], removed = [] } = written;
  const rows = [...put, ...resealed, ...deleted, ...restored].map(({ sealId }) => sealId);
  const done = new Set([...rows, ...removed]);
  const tried = memory.loadTried();
  const left = tried.filter(({ sealId }) => !done.has(sealId));
  if (left.length < tried.length) memory.saveTried(left);
}

/**
 * Takes what a list shows as it was sent for written, where it is new: until the book has it, it is noted (noted.ts). Nobody but this
 * browser can have made its seals, and nobody else has drawn its number. Of a change to what the book has, nobody knows whether its
 * author still wants it, unless it is shown to them in the place of what they are writing.
 * @param isAsked whether it is
 */
export function noteArrived(
  memory: Memory,
  rows: readonly Pick<ShownBookRow, 'kind' | 'sealId' | 'leaf' | 'isWithheld' | 'isOver'>[],
  isAsked = false,
): void {
  const tried = memory.loadTried();
  if (tried.length === 0) return;
  const shown = new Map(rows.map((row) => [`${row.kind} ${row.sealId}`, row]));
  const arrived = tried.filter(({ kind, sealId, leaf, over }) => {
    if (over !== '' && !isAsked) return false;
    const row = shown.get(`${kind} ${sealId}`);
    return row !== undefined && !row.isOver && isSameLeaf(leaf, row.leaf, row.isWithheld);
  });
  if (arrived.length === 0) return;
  const here = new Set(arrived.map(({ sealId }) => sealId));
  const others = (of: readonly NotedRow[]) => of.filter(({ sealId }) => !here.has(sealId));
  const noted = memory.loadNoted();
  const before = [...noted, ...tried];
  memory.saveTried(others(tried));
  const notedOf = new Map(noted.map((row) => [row.sealId, row]));
  const anew = arrived.map((row) => withEarlier(withOwn(row, before), notedOf.get(row.sealId)));
  memory.saveNoted([...others(noted), ...anew]);
}
