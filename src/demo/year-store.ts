// What the demo reads of its server, to tell it.
import type { Database } from '../server/db/open.ts';

export function readMessages(db: Database) {
  return db
    .selectFrom('messages')
    .select(['public_id', 'kind', 'scroll_id', 'step', 'deadline', 'state', 'attempts', 'why'])
    .orderBy('id')
    .execute();
}
