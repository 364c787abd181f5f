// When this server's own address answered last, as all servers of a database know it together.
import type { Database } from '../../db/open.ts';

/** The address has answered: whoever looks may count on. */
export async function noteReached(db: Database): Promise<void> {
  await db
    .updateTable('instance_clock')
    .set((eb) => ({ reached_counted: eb.ref('counted_time'), out_of_reach_since: null }))
    .where('id', '=', 1)
    .execute();
}

/**
 * The address has not answered this server. That counts where it has answered before, and no other server of the database
 * has reached it lately.
 * @param at the calendar's time
 * @param lately milliseconds of counted time
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
    .where((eb) => eb('reached_counted', '<=', eb('counted_time', '-', lately)))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
