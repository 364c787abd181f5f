// Days that began in the dark: while nobody was there to see them begin, or by a calendar that jumped.
import { expressionBuilder } from 'kysely';
import type { Database } from '../db/open.ts';
import type { Schema } from '../db/schema.ts';

const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
/** A scroll that waits for its day. */
export const waits = eb.and([eb('state', '=', 'watching'), eb('trigger_type', '=', 'date')]);

/**
 * Days that have begun since anybody looked wait for `holdFor` milliseconds of house time. It is written down before
 * the heartbeat that ends the dark: after it, nobody knows any more that there was one.
 */
export async function doubtDays(
  db: Database,
  { at, holdFor }: { at: number; holdFor: number },
): Promise<void> {
  await db
    .updateTable('legacy_scrolls')
    .set(({ selectFrom }) => ({
      date_ripe: selectFrom('house_clock').select((q) => q('house_time', '+', holdFor).as('date_ripe')),
    }))
    .where(waits)
    .where('due_at', '<=', at)
    .where('date_ripe', 'is', null)
    .execute();
}
