// How many stories this server has made for an account in a month. A story is counted before it is made, by one statement
// that finds room for it, and given back where none came of it.
import { sql } from 'kysely';
import { asNumber, asText } from '../db/casts.ts';
import type { Database } from '../db/open.ts';
import { retried } from '../db/transact.ts';
import type { Deps } from '../deps.ts';
import { limitOf, type PlanDeps, planLimit } from './plans.ts';

type StoryDeps = PlanDeps & Pick<Deps, 'db' | 'now'>;

/** The calendar month in UTC: `2026-11`. */
const monthAt = (time: number): string => new Date(time).toISOString().slice(0, 7);

/**
 * Counts a story that is about to be made, where a plan limits them.
 * @returns what takes the count back, for a story of which nothing came
 * @throws AppError `plan-limit`
 */
export async function countStory(deps: StoryDeps, accountId: number): Promise<() => Promise<void>> {
  const { plan, max } = await limitOf(deps, accountId, 'storiesPerMonth');
  if (max === null) return async () => {};
  const month = monthAt(deps.now());
  const most = asNumber(sql.val(max));
  const counted = await retried(deps.db, () =>
    sql<{ count: number }>`insert into stories_made (account_id, month, count)
      select ${asNumber(sql.val(accountId))}, ${asText(sql.val(month))}, 1 where ${most} > 0
      on conflict (account_id) do update set
        count = case when stories_made.month = excluded.month then stories_made.count + 1 else 1 end,
        month = excluded.month
      where stories_made.month <> excluded.month or stories_made.count < ${most}
      returning count`.execute(deps.db),
  );
  if (counted.rows.length === 0) throw planLimit('storiesPerMonth', plan, max);
  return () => giveStoryBack(deps.db, accountId, month);
}

async function giveStoryBack(db: Database, accountId: number, month: string): Promise<void> {
  await retried(db, () =>
    db
      .updateTable('stories_made')
      .set({ count: sql<number>`count - 1` })
      .where('account_id', '=', accountId)
      .where('month', '=', month)
      .where('count', '>', 0)
      .execute(),
  );
}

export async function storiesThisMonth(db: Database, accountId: number, now: number): Promise<number> {
  const row = await db
    .selectFrom('stories_made')
    .select('count')
    .where('account_id', '=', accountId)
    .where('month', '=', monthAt(now))
    .executeTakeFirst();
  return row?.count ?? 0;
}
