// Writes the entries of a vault's book: each behind the newest one, and again where another device was faster. A change whose
// entry cannot be written is sent without one.
import {
  type Author,
  type Book,
  type Draft,
  draftCheckpoint,
  draftEntry,
  emptyBook,
} from '../../crypto/book.ts';
import { book as calls, ENTRY_IN_HEADER_MAX, type SealedBookEntry } from '../../shared/nouns/book.ts';
import { DAY } from '../../shared/time.ts';
import { answerIsLost, refusedAs } from '../api/api-error.ts';
import { keyInHand } from '../keys/key-in-hand.ts';
import type { Vault } from '../vault.ts';
import type { BookReport } from './book-report.ts';
import { changeOf } from './book-rows.ts';
import type { Follower } from './follow.ts';
import type { FollowedBook } from './followed-book.ts';
import type { NotedRows } from './noted.ts';
import type { Past } from './overtaken.ts';
import type { Written } from './written.ts';

/** Another device may write faster than this one; after so many tries the change fails as if the server were busy. */
export const TRIES = 20;
/** After so long, or so many entries, a checkpoint spares new browsers what came before. */
const CHECKPOINT_AGE = 365 * DAY;
const CHECKPOINT_ENTRIES = 2_000;

type Parts = {
  vault: Omit<Vault, 'loadBook'>;
  followed: FollowedBook;
  follower: Follower;
  noted: NotedRows;
  past: Past;
  report: BookReport;
  author(): Author;
};

export type Appender = ReturnType<typeof createAppender>;

/** @param vault its calls are nobody's wish */
export function createAppender({ vault, followed, follower, noted, past, report, author }: Parts) {
  const { api, fingerprint } = vault;

  /** Appends what `make` drafts, and again where another device was faster. @throws ApiError, TypeError, AnotherKey */
  async function append(
    make: (book: Book, author: Author, key: Uint8Array) => Promise<Draft>,
    isCheckpoint = false,
  ): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const draft = await make(followed.known ?? emptyBook(), author(), await keyInHand(vault));
      const { n, sealed } = draft;
      try {
        await api.send(calls.append, { body: { n, sealed, isCheckpoint, keyFingerprint: fingerprint } });
      } catch (error) {
        followed.fallBehind();
        if (!refusedAs(error, 'book-moved') || tries === TRIES) throw error;
        await follower.read();
        // Nothing is written behind what is not known to be right.
        if (followed.finding) throw error;
        continue;
      }
      return acknowledged(draft);
    }
  }

  /**
   * The server has taken an entry, as it says.
   * @param isLate whether others read and write by now
   * @throws ApiError, TypeError, AnotherKey where it is not known whether it stands before what another tab has seen
   */
  async function acknowledged(draft: Draft, isLate = false): Promise<void> {
    if (isLate || followed.pinFrom(draft.next.head)) return follower.expectEntry(draft.next);
    followed.adoptDraft(draft);
  }

  /** A book that is full has room again behind two checkpoints: what stands before the first is forgotten. */
  const makeRoom = (): Promise<boolean> =>
    append(draftCheckpoint, true).then(
      () => true,
      () => false,
    );

  /** The entry of a change; null where none can be written. @throws Overtaken */
  async function draftOf(written: Written): Promise<Draft | null> {
    const book = followed.trusted;
    await past.assertNotOvertaken(written);
    const change = book && changeOf(noted.over(book).rows, written, Date.now());
    if (!change) return null;
    const whole = { ...change, put: noted.before(change.put) };
    const draft = await draftEntry(book, whole, author(), await keyInHand(vault));
    // More rows than any change has: they stay to be taken in.
    return draft.sealed.length > ENTRY_IN_HEADER_MAX ? null : draft;
  }

  /** Sends a change without an entry. It is noted: what no entry has must not be dropped unnoticed. */
  async function sendAlone<T>(written: Written, send: (entry: null) => Promise<T>): Promise<T> {
    // The book may have been read on since it was looked at for an entry; and what another tab has written must not be undone.
    if (followed.hasMoved(followed.head)) await follower.readUnlessKeyChanged();
    await past.assertNotOvertaken(written);
    const reply = await send(null);
    noted.add(await followed.knownOrKept(), written);
    return reply;
  }

  /**
   * Whether a change that was refused may be sent with another entry.
   * @throws what it was refused with, where that is not about the book
   */
  async function mayTryAgain(error: unknown, isLast: boolean): Promise<boolean> {
    if (!refusedAs(error, 'book-moved', 'book-full') || isLast) throw error;
    if (refusedAs(error, 'book-full') && !(await makeRoom())) return false;
    return follower.readUnlessKeyChanged();
  }

  return {
    append,

    /** Spares new browsers a long book. It is nobody's wish, so nobody is told when it fails. */
    async checkpointIfDue(): Promise<void> {
      const { head, since = null } = followed.trusted ?? {};
      if (!head || !since) return;
      const isDue = Date.now() - since.at > CHECKPOINT_AGE || head.n - since.n >= CHECKPOINT_ENTRIES;
      if (isDue) await makeRoom();
    },

    /** Sends a change with its entry. @throws Overtaken @param isLate whether its turn has ended, and others read and write */
    async write<T>(
      written: Written,
      send: (entry: SealedBookEntry | null) => Promise<T>,
      isLate: () => boolean,
    ): Promise<T> {
      if (followed.isBehind) {
        if (!(await follower.readUnlessKeyChanged())) return sendAlone(written, send);
        report.publish();
      }
      for (let tries = 1; ; tries += 1) {
        const draft = await draftOf(written);
        if (!draft) return sendAlone(written, send);
        let reply: T;
        try {
          reply = await send({ n: draft.n, sealed: draft.sealed });
        } catch (error) {
          // Whether an answer that was lost stood for a change, the next look says.
          if (answerIsLost(error)) followed.fallBehind();
          // Without its turn it must not read on, where others do.
          if (isLate()) throw error;
          if (!(await mayTryAgain(error, tries === TRIES))) return sendAlone(written, send);
          continue;
        }
        await acknowledged(draft, isLate());
        report.publish();
        return reply;
      }
    },
  };
}
