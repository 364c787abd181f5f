// Transactions, and single statements, that are run once more when another one got in their way. Every transaction of
// the server begins here.
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { isContention } from './away.ts';
import { locksRows } from './locks.ts';
import type { Database } from './open.ts';

/** How often one transaction is tried before its request is answered 503. */
const TRIES = 6;
/** The longest wait before the second try, in milliseconds; it doubles with each one after it. */
const FIRST_WAIT = 20;

/** What spreads those that got in each other's way. */
export interface Spread {
  /** From 0 up to 1. */
  random(): number;
  wait(milliseconds: number): Promise<unknown>;
}

/**
 * Runs `work` in a transaction. PostgreSQL undoes one of two that wait for each other (40P01), or that it cannot put one
 * after the other (40001): that one is run again from its beginning, a few times, a little later each time.
 * @param work may run more than once: it changes nothing outside the database
 * @throws what the last try has thrown; `isDatabaseAway` knows it
 */
export function transact<T>(db: Database, work: (tx: Database) => Promise<T>, spread?: Spread): Promise<T> {
  return retried(() => db.transaction().execute(work), spread);
}

/**
 * The same for what may change a whole vault. The embedded database commits it by itself: to undo it alone among others, it
 * would keep every page that it changes in memory until then. One statement that changes much does so as well (staged-store.ts).
 */
export function transactAlone<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  if (locksRows(db)) return transact(db, work);
  return db.connection().execute(async (connection) => {
    // Takes the connection, as every pragma does.
    await sql`pragma data_version`.execute(connection);
    return connection.transaction().execute(work);
  });
}

/**
 * The same for a single statement that stands in no transaction: it waits for rows as well, and its triggers write into
 * the usage of its account after them, as those of longer transactions do between their statements.
 */
export async function retried<T>(
  work: () => Promise<T>,
  { random, wait }: Spread = { random: Math.random, wait: (milliseconds) => setTimeout(milliseconds) },
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isContention(error) || tries === TRIES) throw error;
      await wait(random() * FIRST_WAIT * 2 ** (tries - 1));
    }
  }
}
