// What the demo reads of its house, to tell it.
import type { Database } from '../server/db/open.ts';

export function readMessages(db: Database) {
  return db
    .selectFrom('messages')
    .select(['public_id', 'kind', 'scroll_id', 'rung', 'deadline', 'state', 'attempts', 'why'])
    .orderBy('id')
    .execute();
}

export function readScrolls(db: Database) {
  return db
    .selectFrom('legacy_scrolls as scroll')
    .innerJoin('lives', 'lives.account_id', 'scroll.account_id')
    .select([
      'scroll.id',
      'scroll.state',
      'scroll.trigger_type',
      'scroll.period',
      'scroll.watching_since',
      'scroll.warning',
      'scroll.warning_accepted',
      'scroll.date_ripe',
      'lives.house_time as life',
    ])
    .orderBy('scroll.id')
    .execute();
}
