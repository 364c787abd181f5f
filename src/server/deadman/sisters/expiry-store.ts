// What is kept of other instances' letters goes a year after silence was over, by counted time.
import { type SqlBool, sql } from 'kysely';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { readInstanceClock } from '../clock/counted-time-store.ts';
import { endLetters } from './letter-store.ts';
import { KEPT_AFTER_RELEASE } from './rules.ts';

/** How many letters one sweep erases. */
const AT_ONCE = 100;

/** Nothing goes while the switch is paused: time that is in doubt must erase nothing. */
export async function expireSisterLetters({ db }: Pick<Deps, 'db'>): Promise<void> {
  const { counted_time, paused_reason } = await readInstanceClock(db);
  if (paused_reason !== null) return;
  const over = sql<SqlBool>`ended_by is null and released_counted <= ${counted_time - KEPT_AFTER_RELEASE}`;
  const these = sql<SqlBool>`id in (select id from sister_letters where ${over} order by released_counted limit ${AT_ONCE})`;
  await transact(db, (tx) => endLetters(tx, 'sister', these));
}
