// Counters of attempts. A bucket is a keyed hash, and nothing here can say of whom.
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';

/**
 * Adds one attempt. One statement both counts and decides.
 * @returns how many this window has seen, and when it ends (epoch milliseconds)
 */
export async function addAttempt(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  bucket: string,
  window: number,
): Promise<{ count: number; resetsAt: number }> {
  const time = now();
  return db
    .insertInto('attempts')
    .values({ bucket, count: 1, resets_at: time + window })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        count: sql`case when attempts.resets_at <= ${time} then 1 else attempts.count + 1 end`,
        resets_at: sql`case when attempts.resets_at <= ${time} then ${time + window} else attempts.resets_at end`,
      }),
    )
    .returning(['count', 'resets_at as resetsAt'])
    .executeTakeFirstOrThrow();
}

export async function deleteAttempts({ db }: Pick<Deps, 'db'>, bucket: string): Promise<void> {
  await db.deleteFrom('attempts').where('bucket', '=', bucket).execute();
}
