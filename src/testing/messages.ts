// Messages that wait to leave, many at once, as the switch would write them.
import type { Insertable } from 'kysely';
import type { MessagesTable } from '../server/db/schema/messages.ts';
import { readInstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import { DELIVER, newMessageId } from '../server/deadman/delivery/message-store.ts';
import type { Watched } from './switch.ts';

const AT_ONCE = 50;

/** Releases to one mailbox, unless told. Returns their public ids. */
export async function plantMessages(
  { deps: { db, now } }: Pick<Watched, 'deps'>,
  account_id: number,
  count: number,
  fields: Partial<Insertable<MessagesTable>> = {},
): Promise<string[]> {
  const { counted_time } = await readInstanceClock(db);
  const ids = Array.from({ length: count }, newMessageId);
  for (let i = 0; i < count; i += AT_ONCE) {
    const some = ids.slice(i, i + AT_ONCE);
    const messages = some.map((public_id) => ({
      public_id,
      kind: 'release' as const,
      channel: 'email' as const,
      address: 'ada@mail.example',
      account_id,
      scroll_id: null,
      scroll_public_id: null,
      deadline: null,
      why: null,
      created_at: now(),
      created_counted: counted_time,
      in_line_since: counted_time,
      sent_at: null,
      confirmed_at: null,
      ...fields,
    }));
    const jobs = some.map((dedupe_key) => ({
      kind: DELIVER,
      dedupe_key,
      run_at: counted_time,
      lease: null,
      lease_until: null,
    }));
    await db.insertInto('messages').values(messages).execute();
    await db.insertInto('jobs').values(jobs).execute();
  }
  return ids;
}

/** Counted time passes, step by step, and what is due leaves. */
export async function passTime(instance: Watched, milliseconds: number, step: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= step) {
    instance.instance.clock.advance(Math.min(step, left));
    await instance.setClock({ counted_time: (await instance.clock()).counted_time + Math.min(step, left) });
    await instance.server.deliver();
  }
}
