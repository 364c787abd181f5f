// Keeps a page at the end of its vault's book: reads on, judges what it cannot read, and begins anew with what is shown.
import * as z from 'zod/mini';
import { type Author, type Book, draftAcceptance, draftCheckpoint, emptyBook } from '../../crypto/book.ts';
import { hashOfEntry } from '../../crypto/book-entry.ts';
import { book as calls } from '../../shared/nouns/book.ts';
import { AnotherKey, keyInHand } from '../keys/key-in-hand.ts';
import type { Vault } from '../vault.ts';
import type { BookPin } from './book-memory.ts';
import type { BookReport } from './book-report.ts';
import type { FollowedBook } from './followed-book.ts';
import type { NotedRows } from './noted.ts';
import { type createReader, KeyChanged } from './reading.ts';
import { bookRow } from './rows-found.ts';
import { everyList } from './shown-lists.ts';
import { whyUnread } from './withholding.ts';

/** Another tab may lead the device on while this one reads; after so many tries it goes on with what it has read. */
const TRIES = 20;

type Parts = {
  vault: Omit<Vault, 'loadBook'>;
  reader: ReturnType<typeof createReader>;
  followed: FollowedBook;
  noted: NotedRows;
  report: BookReport;
  author(): Author;
};

export type Follower = ReturnType<typeof createFollower>;

/** @param vault its calls are nobody's wish */
export function createFollower({ vault, reader, followed, noted, report, author }: Parts) {
  const { api, fingerprint } = vault;

  /** @param isShown whether a list has just come, which was compared with nothing */
  async function noteUnread(error: unknown, isShown = false): Promise<void> {
    const why = await whyUnread(error, vault, isShown);
    // A line that is cut says nothing of what was shown before that.
    if (why === 'key-gone' || why === 'offline') return;
    report.setUnread(why);
    report.publish();
  }

  /** Reads on. Where what is shown cannot be entries at all, that is found as well; where nothing is shown, that is noted. */
  async function read(): Promise<void> {
    try {
      // Where the vault was locked, destroyed or left meanwhile, the server is asked nothing any more.
      if (!vault.loadKey()) throw new AnotherKey();
      await readFromPin().catch((error: unknown) => {
        if (!(error instanceof z.core.$ZodError)) throw error;
        followed.breakAt({ kind: 'unreadable', n: (followed.loadPin()?.n ?? 0) + 1 });
      });
    } catch (error) {
      await noteUnread(error);
      throw error;
    }
  }

  /**
   * Reads on, again where another tab has led the device further meanwhile: what that has seen has to be shown as well, or else
   * one of two histories would be forgotten.
   */
  async function readFromPin(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const pin = followed.loadPin();
      const read = await readFrom(pin);
      if (followed.hasMoved(read.book.head) && tries < TRIES) continue;
      // The key was made in this browser, and nobody can open what stands from before it.
      if (read.finding?.kind === 'unreadable' && pin?.n === 0) return beginWithShown();
      if (read.finding) return followed.breakAt(read.finding);
      noted.hold(read.entries);
      return followed.adoptRead(read);
    }
  }

  /** What is shown behind what was read, or as a whole where nothing was, or what was kept does not lead to it. */
  async function readFrom(pin: BookPin | null): ReturnType<typeof reader.readAnew> {
    const kept = await followed.knownOrKept();
    const further = kept && kept.head.n > 0 ? await reader.readOn(kept, pin) : null;
    return further ?? reader.readAnew(pin);
  }

  /** Begins again with what the server shows, and names what had been seen, if that is lost. */
  async function beginWithShown(): Promise<void> {
    const pin = followed.loadPin();
    const lost = pin?.n ? { n: pin.n, hash: pin.hash } : null;
    const shown = await shownBook();
    const key = await keyInHand(vault);
    const draft = lost
      ? await draftAcceptance(shown, lost, author(), key)
      : await draftCheckpoint(shown, author(), key);
    const { n, sealed } = draft;
    await api.send(calls.append, { body: { n, sealed, isCheckpoint: true, keyFingerprint: fingerprint } });
    report.forgetAll();
    followed.beginAnew(draft, lost);
  }

  /** A book of what the server shows, behind the last of its entries. */
  async function shownBook(): Promise<Book> {
    // What another device writes after this has the number of the entry that is made here.
    const last = (await reader.fetchEntries()).at(-1);
    const rows = (await Promise.all(everyList(api).map((list) => list.fetch()))).flat();
    return {
      ...emptyBook(),
      ...(last && { head: { n: last.n, hash: await hashOfEntry(last.sealed) } }),
      // What has no words any more has no leaf either, and no book says anything of it.
      rows: new Map(rows.flatMap((row) => (row.isOver ? [] : [[row.sealId, bookRow(row)] as const]))),
    };
  }

  return {
    /** @throws ApiError, TypeError, AnotherKey, KeyChanged */
    read,
    noteUnread,
    beginWithShown,

    /** Whether the vault still has the key of this page. Where it has another, the server refuses a change in its own words. */
    readUnlessKeyChanged: (): Promise<boolean> =>
      read().then(
        () => true,
        (error: unknown) => {
          if (error instanceof KeyChanged) return false;
          throw error;
        },
      ),

    /**
     * What was acknowledged has to stand in the book like everything else, also where this page has no turn any more, or another
     * tab has led the device further meanwhile: then what that has seen has to follow what was written here.
     * @param book as it is with what was acknowledged
     * @throws ApiError, TypeError, AnotherKey where that is not known: then nobody may be told that it was kept
     */
    async expectEntry(book: Book): Promise<void> {
      followed.fallBehind();
      const seen = followed.pinFrom(book.head);
      if (seen && (await reader.readOn(book, seen))) return;
      followed.expect(book.head);
      if (!seen) return;
      followed.breakAt({ kind: 'forked', n: book.head.n });
      report.publish();
    },
  };
}
