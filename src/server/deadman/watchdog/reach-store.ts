// When this server's own address answered last, as all servers of a database know it together.
import type { Elsewhere } from '../../../shared/nouns/switch-state.ts';
import { DAY } from '../../../shared/time.ts';
import { compiled } from '../../db/compiled.ts';
import type { Database } from '../../db/open.ts';

const writeReached = compiled<{ origin: string }>()((db, value) =>
  db
    .updateTable('instance_clock')
    .set((eb) => ({
      reached_counted: eb('counted_time', '+', eb.ref('paused_for')),
      reached_origin: value('origin'),
      out_of_reach_since: null,
      elsewhere: null,
      // Another address says nothing of who is the original, until somebody has confirmed it.
      home_origin: eb
        .case()
        .when(eb.and([eb('paused_reason', 'is', null), eb('home_origin', 'is', null)]))
        .then(value('origin'))
        .else(eb.ref('home_origin'))
        .end(),
    }))
    .where('id', '=', 1),
);

/** The address has answered: whoever looks may count on. */
export async function noteReached(db: Database, origin: string): Promise<void> {
  await writeReached(db, { origin });
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
 * Another database answers at the address. Its people are there, and whatever this server did would reach them twice, or too
 * early.
 * @param at the calendar's time
 * @returns whether nobody has known of it yet
 */
export async function noteElsewhere(
  db: Database,
  { at, origin, elsewhere }: { at: number; origin: string; elsewhere: Elsewhere },
): Promise<boolean> {
  const row = await db
    .updateTable('instance_clock')
    .set((eb) => ({
      ...{ reached_origin: origin, elsewhere },
      out_of_reach_since: eb.fn.coalesce('out_of_reach_since', eb.val(at)),
    }))
    .where('id', '=', 1)
    .where((eb) =>
      eb.or([
        eb('elsewhere', 'is', null),
        eb('elsewhere', '!=', elsewhere),
        eb('out_of_reach_since', 'is', null),
      ]),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const forgetLooks = compiled<{ before: number; after: number }>()((db, value) =>
  db
    .deleteFrom('outside_looks')
    .where((eb) => eb.or([eb('asked_at', '<', value('before')), eb('asked_at', '>', value('after'))])),
);
const writeLook = compiled<{ challenge: string; at: number }>()((db, value) =>
  db.insertInto('outside_looks').values({ challenge: value('challenge'), asked_at: value('at') }),
);
const findLook = compiled<{ challenge: string }>()((db, value) =>
  db.selectFrom('outside_looks').select('challenge').where('challenge', '=', value('challenge')),
);

/**
 * Writes down that a look has begun, so that every server of this database, and none of another, knows of it.
 * @param at the calendar's time
 */
export async function beginLook(db: Database, challenge: string, at: number): Promise<void> {
  await forgetLooks(db, { before: at - DAY, after: at + DAY });
  await writeLook(db, { challenge, at });
}

/** Whether a look with this challenge was begun by a server of this database. */
export async function isOwnLook(db: Database, challenge: string): Promise<boolean> {
  return (await findLook(db, { challenge })).length > 0;
}

/**
 * Forgets what was reached at another address, or at any: nobody looks at that any more.
 * @param origin a keyed hash of the one that is looked at; null where none is
 */
export async function forgetOtherReach(db: Database, origin: string | null): Promise<void> {
  await db
    .updateTable('instance_clock')
    .set({ reached_counted: null, reached_origin: origin, out_of_reach_since: null, elsewhere: null })
    .where('id', '=', 1)
    .where((eb) => eb.or([eb('reached_counted', 'is not', null), eb('elsewhere', 'is not', null)]))
    .where((eb) =>
      origin === null
        ? eb.lit(true)
        : eb.or([eb('reached_origin', 'is', null), eb('reached_origin', '!=', origin)]),
    )
    .execute();
}
