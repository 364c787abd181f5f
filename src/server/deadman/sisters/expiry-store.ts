// What is kept of other instances' letters goes a year after silence was over, by counted time; and after a month where its author
// has never given a sign.
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { readInstanceClock } from '../clock/counted-time-store.ts';
import { endLetters } from './letter-store.ts';
import { KEPT_AFTER_RELEASE, KEPT_UNSIGNED } from './rules.ts';

/** How many letters one sweep erases. */
const AT_ONCE = 100;

/** Nothing goes while the switch is paused: time that is in doubt must erase nothing. */
export async function expireSisterLetters({ db }: Pick<Deps, 'db'>): Promise<void> {
  const { counted_time, paused_reason } = await readInstanceClock(db);
  if (paused_reason !== null) return;
  await forgetUnsigned(db, counted_time);
  const over = await db
    .selectFrom('sister_letters')
    .select('id')
    .where('ended_by', 'is', null)
    .where('released_counted', '<=', counted_time - KEPT_AFTER_RELEASE)
    .orderBy('released_counted')
    .limit(AT_ONCE)
    .execute();
  if (over.length === 0) return;
  const these = sql<SqlBool>`ended_by is null and id in (${sql.join(over.map(({ id }) => id))})`;
  await transact(db, (tx) => endLetters(tx, 'sister', these));
}

/** Nothing is left that says that it was here: its author may send it again, and nobody else can have it count. */
async function forgetUnsigned(db: Database, countedTime: number): Promise<void> {
  const unsigned = db
    .selectFrom('sister_letters')
    .select('id')
    .where('ended_by', 'is', null)
    .where('released_counted', 'is', null)
    .where('signed_counted', 'is', null)
    .where('watching_since', '<=', countedTime - KEPT_UNSIGNED)
    .limit(AT_ONCE);
  await db
    .deleteFrom('sister_letters')
    .where('id', 'in', unsigned)
    // A sign may have come meanwhile.
    .where('signed_counted', 'is', null)
    .execute();
}
