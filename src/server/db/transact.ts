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

/** What waits for a transaction to be committed: it happens outside the database. @param db not the transaction's */
type Effect = (db: Database) => Promise<void>;

/** By the transaction whose commit they wait for. */
const waiting = new WeakMap<Database, Effect[]>();

/**
 * Runs `work` in a transaction; in the one that is open already, where `db` is one. PostgreSQL undoes one of two that wait
 * for each other (40P01), or that it cannot put one after the other (40001): that one is run again from its beginning, a few
 * times, a little later each time. It is the outermost one, because nothing can go on in a transaction that was undone.
 * @param work may run more than once: it changes nothing outside the database
 * @throws what the last try has thrown; `isDatabaseAway` knows it
 */
export function transact<T>(db: Database, work: (tx: Database) => Promise<T>, spread?: Spread): Promise<T> {
  if (db.isTransaction) return work(db);
  const once = (task: typeof work) => db.transaction().execute(task);
  return withEffects(db, work, (task) => retried(db, () => once(task), spread));
}

/**
 * The same for what may change a whole vault. The embedded database commits it by itself: to undo it alone among others, it
 * would keep every page that it changes in memory until then. One statement that changes much does so as well (staged-store.ts).
 */
export function transactAlone<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  if (locksRows(db)) return transact(db, work);
  const alone = (task: typeof work) =>
    db.connection().execute(async (connection) => {
      // Takes the connection, as every pragma does.
      await sql`pragma data_version`.execute(connection);
      return connection.transaction().execute(task);
    });
  return withEffects(db, work, alone);
}

/** Has a transaction run, and then what was to wait for its commit: of the try that was committed, and of no other. */
async function withEffects<T>(
  db: Database,
  work: (tx: Database) => Promise<T>,
  run: (work: (tx: Database) => Promise<T>) => Promise<T>,
): Promise<T> {
  let committed = db;
  const result = await run((tx) => {
    committed = tx;
    return work(tx);
  });
  for (const effect of waiting.get(committed) ?? []) await effect(db);
  return result;
}

/**
 * Does something outside the database: now, or where `db` is a transaction once it is committed, before whoever began it
 * goes on. Of a transaction that is undone nothing is done.
 */
export async function afterCommit(db: Database, effect: Effect): Promise<void> {
  if (!db.isTransaction) return effect(db);
  const effects = waiting.get(db);
  if (effects) effects.push(effect);
  else waiting.set(db, [effect]);
}

/**
 * The same for a single statement: it waits for rows as well, and its triggers write into the usage of its account after
 * them, as those of longer transactions do between their statements. One that stands in a transaction is not run again by
 * itself.
 */
export async function retried<T>(
  db: Database,
  work: () => Promise<T>,
  { random, wait }: Spread = { random: Math.random, wait: (milliseconds) => setTimeout(milliseconds) },
): Promise<T> {
  if (db.isTransaction) return work();
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isContention(error) || tries === TRIES) throw error;
      await wait(random() * FIRST_WAIT * 2 ** (tries - 1));
    }
  }
}
