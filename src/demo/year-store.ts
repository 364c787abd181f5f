// What the demo reads of its server, to tell it.
import type { Database } from '../server/db/open.ts';

export function readMessages(db: Database) {
  return db
    .selectFrom('messages')
    .select(['public_id', 'kind', 'scroll_id', 'step', 'deadline', 'state', 'attempts', 'why'])
    .orderBy('id')
    .execute();
}

export function readScrolls(db: Database) {
  return db
    .selectFrom('legacy_scrolls as scroll')
    .innerJoin('last_activity', 'last_activity.account_id', 'scroll.account_id')
    .select([
      'scroll.id',
      'scroll.state',
      'scroll.trigger_type',
      'scroll.period',
      'scroll.watching_since',
      'scroll.warning',
      'scroll.warning_accepted',
      'scroll.releasable_at',
      'last_activity.counted_time as lastActivity',
    ])
    .orderBy('scroll.id')
    .execute();
}
