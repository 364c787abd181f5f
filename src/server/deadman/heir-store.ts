// What depends on a server, in numbers, for whoever finds it when its administrator is gone. Numbers alone: a page in a
// drawer must not tell who has written to whom, or until when a letter waits.
import { sql } from 'kysely';
import type { Database } from '../db/open.ts';
import { type InstanceClock, readInstanceClock } from './clock/counted-time-store.ts';

export interface Dependents {
  /** Accounts: each has one vault. */
  vaults: number;
  /** Scrolls that watch. */
  waiting: number;
  /** Recipients whose letter was released, and who have not opened it. */
  unopened: number;
  /** Messages that nothing has taken yet. */
  unsent: number;
  clock: Pick<InstanceClock, 'paused_reason' | 'ticked_at'>;
}

export async function readDependents(db: Database): Promise<Dependents> {
  const vaults = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  const waiting = await db
    .selectFrom('legacy_scrolls')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('state', '=', sql.lit('watching'))
    .executeTakeFirstOrThrow();
  const unopened = await db
    .selectFrom('scroll_recipients')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('released_at', 'is not', null)
    .where('opened_at', 'is', null)
    .executeTakeFirstOrThrow();
  const unsent = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('state', 'in', ['waiting', 'failed'])
    .executeTakeFirstOrThrow();
  return {
    vaults: Number(vaults.count),
    waiting: Number(waiting.count),
    unopened: Number(unopened.count),
    unsent: Number(unsent.count),
    clock: await readInstanceClock(db),
  };
}
