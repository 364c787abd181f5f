// What led to the head of a book, and whether a change would undo some of it.
import { historyOf, type PastEntry } from '../../crypto/book-history.ts';
import { keyInHand } from '../keys/key-in-hand.ts';
import type { Vault } from '../vault.ts';
import { madeFromOthers } from './book-rows.ts';
import type { FollowedBook } from './followed-book.ts';
import type { NotedRows } from './noted.ts';
import type { createReader } from './reading.ts';
import { Overtaken, type Written } from './written.ts';

type Parts = {
  vault: Omit<Vault, 'loadBook'>;
  followed: FollowedBook;
  reader: ReturnType<typeof createReader>;
  noted: NotedRows;
};

export function createPast({ vault, followed, reader, noted }: Parts) {
  /** What leads to the head, the newest first. @throws ApiError, TypeError, AnotherKey */
  async function from(n: number): Promise<PastEntry[]> {
    const now = followed.trusted;
    if (!now || now.head.n === 0) return [];
    const keys = [await keyInHand(vault), ...(await reader.olderKeys())];
    return historyOf(now.head, await reader.fetchEntries(n), keys);
  }

  return {
    from,

    /**
     * A change of what the book had before would undo what has followed that. What a program without a book has written was never
     * in it, and may be changed. A server that does not show the past as far back as it was read here proves neither.
     * @throws Overtaken, ApiError, TypeError
     */
    async assertNotOvertaken(written: Written): Promise<void> {
      const now = noted.over(followed.trusted);
      const others = now ? madeFromOthers(now.rows, written) : [];
      if (!now || others.length === 0) return;
      const seen = others.find(({ row, over }) => followed.hasReplaced(row.sealId, over));
      if (seen) throw new Overtaken(seen.row.leaf);
      const past = await from(1);
      const isWhole = (past.at(-1)?.n ?? Number.POSITIVE_INFINITY) <= (now.since?.n ?? 1);
      const had = new Set(past.flatMap(({ put }) => put.map(({ sealId, leaf }) => `${sealId} ${leaf}`)));
      const older = others.find(({ row, over }) => !isWhole || had.has(`${row.sealId} ${over}`));
      if (older) throw new Overtaken(older.row.leaf);
    },
  };
}

export type Past = ReturnType<typeof createPast>;
