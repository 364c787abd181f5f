// New rows that were sent and not acknowledged. A server that refuses a row, or never answers, has it all the same: it may show
// it later as if it had kept it, so that whoever wrote it lets go of the draft, and then drop it. No entry of the book would
// miss it. So what a list shows of it counts as written.
import { type Book, emptyBook } from '../../crypto/book.ts';
import { isSameLeaf } from '../../crypto/book-leaf.ts';
import type { BookMemory, NotedRow } from './book-memory.ts';
import type { ShownBookRow } from './book-rows.ts';
import { newTo, noting } from './noted.ts';
import type { Written } from './written.ts';

/** How many are remembered: whoever tries for ever drops the first. */
const TRIED_MAX = 200;

type Memory = Pick<BookMemory, 'loadTried' | 'saveTried' | 'loadNoted' | 'saveNoted'>;

const nameOf = ({ sealId, leaf }: NotedRow) => `${sealId} ${leaf}`;

/**
 * Remembers what is about to be sent, as far as it is new: of a change to what the book has, nobody knows afterwards whether
 * its author still wants it.
 * @param known as far as the book was read last
 */
export function noteTried(memory: Memory, known: Book | null, { put = [] }: Written): void {
  const book = known ?? emptyBook();
  const own = noting(book, [], { put }, Date.now()).filter(({ over }) => over === '');
  if (own.length === 0) return;
  const again = new Set(own.map(nameOf));
  const others = newTo(book, memory.loadTried()).filter((row) => !again.has(nameOf(row)));
  memory.saveTried([...others, ...own].slice(-TRIED_MAX));
}

/** It was acknowledged. */
export function forgetTried(memory: Memory, { put = [] }: Written): void {
  const done = new Set(put.map(({ sealId }) => sealId));
  const tried = memory.loadTried();
  const left = tried.filter(({ sealId }) => !done.has(sealId));
  if (left.length < tried.length) memory.saveTried(left);
}

/**
 * Takes what a list shows as it was sent for written: until the book has it, it is noted (noted.ts). Nobody but this browser
 * can have made its seals, and nobody else has drawn its number.
 */
export function noteArrived(memory: Memory, rows: readonly ShownBookRow[]): void {
  const tried = memory.loadTried();
  if (tried.length === 0) return;
  const shown = new Map(rows.map((row) => [`${row.kind} ${row.sealId}`, row]));
  const arrived = tried.filter(({ kind, sealId, leaf }) => {
    const row = shown.get(`${kind} ${sealId}`);
    return row !== undefined && !row.isOver && isSameLeaf(leaf, row.leaf, row.isWithheld);
  });
  if (arrived.length === 0) return;
  const here = new Set(arrived.map(({ sealId }) => sealId));
  const others = <Row extends NotedRow>(of: readonly Row[]) => of.filter(({ sealId }) => !here.has(sealId));
  memory.saveTried(others(tried));
  memory.saveNoted([...others(memory.loadNoted()), ...arrived]);
}
