// When this server's own address answered last, as all servers of a database know it together.
import type { Database } from '../../db/open.ts';

/** The address has answered: whoever looks may count on. */
export async function noteReached(db: Database, origin: string): Promise<void> {
  await db
    .updateTable('instance_clock')
    .set((eb) => ({
      reached_counted: eb('counted_time', '+', eb.ref('paused_for')),
      reached_origin: origin,
      out_of_reach_since: null,
    }))
    .where('id', '=', 1)
    .execute();
}

/**
 * The address has not answered this server. That counts where it has answered before, and no other server of the database
 * has reached it lately.
 * @param at the calendar's time
 * @param lately milliseconds of counted time, or of a pause
 * @returns whether nobody has known of it yet
 */
export async function noteOutOfReach(
  db: Database,
  { at, lately }: { at: number; lately: number },
): Promise<boolean> {
  const row = await db
    .updateTable('instance_clock')
    .set({ out_of_reach_since: at })
    .where('id', '=', 1)
    .where('out_of_reach_since', 'is', null)
    .where('reached_counted', 'is not', null)
    .where((eb) =>
      eb('reached_counted', '<=', eb(eb('counted_time', '+', eb.ref('paused_for')), '-', lately)),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Forgets what was reached at another address, or at any: nobody looks at that any more.
 * @param origin a keyed hash of the one that is looked at; null where none is
 */
export async function forgetOtherReach(db: Database, origin: string | null): Promise<void> {
  await db
    .updateTable('instance_clock')
    .set({ reached_counted: null, reached_origin: null, out_of_reach_since: null })
    .where('id', '=', 1)
    .where('reached_counted', 'is not', null)
    .where((eb) =>
      origin === null
        ? eb.lit(true)
        : eb.or([eb('reached_origin', 'is', null), eb('reached_origin', '!=', origin)]),
    )
    .execute();
}
