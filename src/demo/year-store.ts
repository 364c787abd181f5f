// What the demo reads of its server, to tell it.
import type { Database } from '../server/db/open.ts';

/** Each message with the scroll that it is about; a warning once for each scroll that it names. */
export function readMessages(db: Database) {
  return db
    .selectFrom('messages')
    .leftJoin('warned_scrolls as named', 'named.message_id', 'messages.id')
    .select(['public_id', 'kind', 'state', 'attempts', 'why', 'named.due_in'])
    .select((eb) => eb.fn.coalesce('messages.scroll_id', 'named.scroll_id').as('scroll_id'))
    .orderBy('messages.id')
    .orderBy('named.scroll_id')
    .execute();
}
