// What an oracle reads in the database of a simulated server. It reads beside the servers and changes nothing.
import type { Database } from '../server/db/open.ts';

export function newMessages(db: Database, after: number) {
  return db
    .selectFrom('messages')
    .leftJoin('legacy_scrolls as scroll', 'scroll.id', 'messages.scroll_id')
    .leftJoin('last_activity', 'last_activity.account_id', 'scroll.account_id')
    .select([
      'messages.id',
      'messages.kind',
      'messages.public_id',
      'messages.scroll_id',
      'messages.scroll_public_id',
      'messages.step',
      'messages.created_counted',
      'messages.state',
      'scroll.period',
      'scroll.watching_since',
      'scroll.warning',
      'last_activity.counted_time as lastActivity',
    ])
    .where('messages.id', '>', after)
    .orderBy('messages.id')
    .execute();
}
export type NewMessage = Awaited<ReturnType<typeof newMessages>>[number];

export function allScrolls(db: Database) {
  return db
    .selectFrom('legacy_scrolls as scroll')
    .innerJoin('last_activity', 'last_activity.account_id', 'scroll.account_id')
    .select([
      'scroll.id',
      'scroll.state',
      'scroll.trigger_type',
      'scroll.period',
      'scroll.due_at',
      'scroll.watching_since',
      'scroll.warning',
      'scroll.warning_accepted',
      'scroll.releasable_at',
      'last_activity.counted_time as lastActivity',
    ])
    .orderBy('scroll.id')
    .execute();
}
export type ScrollRow = Awaited<ReturnType<typeof allScrolls>>[number];

/** Every message to a recipient, or those in one state, and whether a job stands for it. */
export function allReleases(db: Database, state?: 'waiting') {
  const query = db
    .selectFrom('messages')
    .leftJoin('jobs', 'jobs.dedupe_key', 'messages.public_id')
    .select([
      'messages.public_id',
      'messages.scroll_id',
      'messages.channel',
      'messages.state',
      'messages.why',
      'jobs.id as job',
    ])
    .where('messages.kind', '=', 'release');
  return (state ? query.where('messages.state', '=', state) : query).execute();
}

export function waitingMessages(db: Database) {
  return db.selectFrom('messages').select(['public_id', 'kind']).where('state', '=', 'waiting').execute();
}

export async function isAnythingDue(db: Database, countedTime: number): Promise<boolean> {
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('run_at', '<=', countedTime)
    .limit(1)
    .executeTakeFirst();
  return job !== undefined;
}
