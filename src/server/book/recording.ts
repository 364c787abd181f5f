// A change together with its entry of the vault's book: both are kept, or neither. The entry comes in a header, so that a
// change has the same body with and without one. Nothing of it is ever logged, or repeated in an answer.
import { BOOK_HEADER } from '../../shared/http/call.ts';
import { ENTRY_IN_HEADER_MAX, type SealedBookEntry } from '../../shared/nouns/book.ts';
import { transact } from '../db/transact.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { appendEntry } from './book-store.ts';

const NUMBER = /^[1-9]\d{0,9}$/;
/** With a length that is a multiple of four. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** The largest number that both databases keep. */
const NUMBER_MAX = 2 ** 31 - 1;

/**
 * Reads the entry that stands in a header.
 * @throws AppError `too-large`, or `bad-request` with a sentence
 */
export function readEntry(header: string): SealedBookEntry {
  const stop = header.indexOf('.');
  const sealed = header.slice(stop + 1);
  if (sealed.length > ENTRY_IN_HEADER_MAX) {
    throw new AppError('too-large', 'This entry of the book is too long to come with a change.');
  }
  const number = header.slice(0, stop);
  const n = Number(number);
  const isEntry =
    stop > 0 && NUMBER.test(number) && n <= NUMBER_MAX && sealed.length % 4 === 0 && BASE64.test(sealed);
  if (!isEntry) {
    throw new AppError('bad-request', `${BOOK_HEADER} holds a number, a full stop, and an entry in base64.`);
  }
  return { n, sealed };
}

/** What a change is given: the database that it works on, and whether that is the transaction of an entry. */
export interface Recording {
  deps: Deps;
  isRecorded: boolean;
}

/**
 * Makes a change: by itself, or in one transaction with the entry that came with it.
 * @param header what came in `BOOK_HEADER`
 * @param change may run more than once, as the work of every transaction. What it throws undoes the entry as well
 * @throws AppError `book-moved`, with nothing changed, where another entry has this number
 */
export function recorded<T>(
  deps: Deps,
  accountId: number,
  header: string | undefined,
  change: (recording: Recording) => Promise<T>,
): Promise<T> {
  if (header === undefined) return change({ deps, isRecorded: false });
  const entry = readEntry(header);
  return transact(deps.db, async (tx) => {
    const refusal = await appendEntry(tx, accountId, entry);
    if (refusal) throw new AppError(refusal);
    return change({ deps: { ...deps, db: tx }, isRecorded: true });
  });
}
