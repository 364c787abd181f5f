// Takes what was done without an entry into the vault's book, together and soon.
import { draftEntry, emptyBook } from '../../crypto/book.ts';
import type { Timers } from '../api/in-background.ts';
import type { Appender } from './append.ts';
import type { BookReport } from './book-report.ts';
import type { Follower } from './follow.ts';
import type { FollowedBook } from './followed-book.ts';
import { changeOfNoted, type NotedRows } from './noted.ts';
import type { Serializer } from './serialize.ts';
import type { KnownRow, WrittenRow } from './written.ts';

/** How many rows of an import come into the book with one entry, and after how many milliseconds, if there are fewer. */
const NOTED_AT_ONCE = 100;
const NOTED_WAIT = 2_000;

type Parts = {
  followed: FollowedBook;
  follower: Follower;
  appender: Appender;
  noted: NotedRows;
  report: BookReport;
  serialize: Serializer['serialize'];
  timers: Timers;
};

export function createTakingIn({ followed, follower, appender, noted, report, serialize, timers }: Parts) {
  let waiting: ReturnType<typeof setTimeout> | undefined;

  /**
   * Takes in what is new to the book: also what the server does not show any more. What fails is tried again at the next look.
   * @throws ApiError, TypeError, AnotherKey, KeyChanged
   */
  async function takeIn(): Promise<void> {
    timers.clearTimeout(waiting);
    waiting = undefined;
    const rows = noted.load();
    if (rows.length === 0) return;
    noted.beginTakingIn();
    if (followed.isBehind) await follower.read();
    const book = followed.trusted;
    if (!book) return;
    // Where another device was faster, it may have been about these rows.
    if (changeOfNoted(book, rows))
      await appender.append((next, author, key) =>
        draftEntry(next, changeOfNoted(next, rows) ?? {}, author, key),
      );
    noted.endTakingIn(rows, followed.trusted ?? book);
    report.publish();
  }

  const inItsTurn = () => serialize(takeIn).catch(() => report.publish());

  return {
    takeIn,

    /** Notes rows that were kept without an entry. */
    note(rows: readonly WrittenRow[]): void {
      noted.add(followed.known, { put: rows });
      if (noted.count % NOTED_AT_ONCE === 0) void inItsTurn();
      else waiting ??= timers.setTimeout(inItsTurn, NOTED_WAIT);
    },

    noteHere(rows: readonly KnownRow[]): void {
      // What was read last may not be all: what the book turns out to have, or to have had removed, is not taken in.
      const read = followed.known ?? emptyBook();
      const book = noted.over(read);
      // What a book that is right has had removed is wanted again: its loss was accepted, or it was erased, and it is shown once more.
      const mayHaveMore = followed.trusted === null;
      const isNew = ({ sealId }: KnownRow) =>
        sealId !== null && !book.rows.has(sealId) && !(mayHaveMore && book.removed.has(sealId));
      const restored = rows.filter(isNew);
      if (restored.length === 0) return;
      noted.add(read, { restored });
      waiting ??= timers.setTimeout(inItsTurn, NOTED_WAIT);
    },

    /** Takes in now what was noted. Returns how many rows are still in no entry. */
    async settle(): Promise<number> {
      await inItsTurn();
      return noted.count;
    },
  };
}
