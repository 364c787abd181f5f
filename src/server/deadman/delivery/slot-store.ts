// The slots of the limits on messages, and the lines of those that wait for one. Every decision is made by whoever holds
// the row of the counted time, so that any number of servers count together; the statement that takes a slot counts.

import { type Expression, sql } from 'kysely';
import { DAY, HOUR } from '../../../shared/time.ts';
import { asNumber, asText } from '../../db/casts.ts';
import { compiled } from '../../db/compiled.ts';
import type { Database } from '../../db/open.ts';

const lockedLimits = compiled<Record<never, never>>()((tx) =>
  tx.updateTable('instance_clock').set({ id: sql`id` }),
);

/** From here to the end of the transaction nobody else takes a slot or joins a line. */
export async function lockLimits(tx: Database): Promise<void> {
  await lockedLimits(tx, {});
}

const slotsOfMessage = compiled<{ message: string; since: number }>()((tx, value) =>
  tx
    .selectFrom('message_slots')
    .select('limit_key')
    .where('message', '=', value('message'))
    .where((eb) => eb.or([eb('held', '=', 1), eb('taken_at', '>', value('since'))])),
);

/** The limits that a message has a slot of already: one it holds, or took for a try within the last day. */
export async function slotsOf(tx: Database, message: string, time: number): Promise<Set<string>> {
  const rows = await slotsOfMessage(tx, { message, since: time - DAY });
  return new Set(rows.map(({ limit_key }) => limit_key));
}

/**
 * How many slots of a limit are taken. One that is held for a message that never leaves is not.
 * @param since a day ago
 */
const taken = (key: Expression<string>, since: Expression<number>) => sql<number>`(
  select count(*) from message_slots as slot where slot.limit_key = ${key} and slot.held = 0
    and slot.taken_at > ${since}
) + (
  select count(*) from message_slots as slot
    inner join messages on messages.public_id = slot.message and messages.state = 'waiting'
    where slot.limit_key = ${key} and slot.held = 1
)`;

export interface Slot {
  key: string;
  max: number;
  /** The public id of the message. */
  message: string;
  author: string;
  time: number;
}

const takenSlot = compiled<Slot & { since: number }>()((tx, value) => ({
  compile: () =>
    sql`
    insert into message_slots (limit_key, message, author_hash, taken_at, held, turn)
    select ${asText(value('key'))}, ${asText(value('message'))}, ${asText(value('author'))},
      ${asNumber(value('time'))}, 1,
      coalesce((select max(slot.turn) from message_slots as slot where slot.limit_key = ${value('key')}), 0) + 1
    where ${taken(value('key'), value('since'))} < ${asNumber(value('max'))}
    on conflict (limit_key, message) do update
      set taken_at = excluded.taken_at, held = 1, turn = excluded.turn
    returning turn`.compile(tx),
}));

/** Takes a slot for a message and holds it until the message is tried. False where none is free. */
export async function takeSlot(tx: Database, slot: Slot): Promise<boolean> {
  const rows = await takenSlot(tx, { ...slot, since: slot.time - DAY });
  return rows.length > 0;
}

/** Writes down that an author had a turn, where nothing but the order of turns is asked of it. */
export async function noteTurn(
  tx: Database,
  { key, message, author, time }: Omit<Slot, 'max'>,
): Promise<void> {
  await tx
    .insertInto('message_slots')
    .values((eb) => ({
      limit_key: key,
      message,
      author_hash: author,
      taken_at: time,
      held: 0,
      turn: eb
        .selectFrom('message_slots as slot')
        .select(sql<number>`coalesce(max(slot.turn), 0) + 1`.as('turn'))
        .where('slot.limit_key', '=', key),
    }))
    .onConflict((conflict) =>
      conflict.columns(['limit_key', 'message']).doUpdateSet((eb) => ({
        taken_at: eb.ref('excluded.taken_at'),
        turn: eb.ref('excluded.turn'),
      })),
    )
    .execute();
}

/** The message is tried now: a day from now its slots are free again. */
export async function spendSlots(
  tx: Database,
  { message, keys, time }: { message: string; keys: string[]; time: number },
): Promise<void> {
  await tx
    .updateTable('message_slots')
    .set({ taken_at: time, held: 0 })
    .where('message', '=', message)
    .where('limit_key', 'in', keys)
    .execute();
}

/** What a message holds that does not leave now is for others. */
export async function giveSlotsBack(tx: Database, message: string): Promise<void> {
  await tx.deleteFrom('message_slots').where('message', '=', message).where('held', '=', 1).execute();
}

/** When the next slot of a limit is free: now, or later. */
export async function nextFree(
  tx: Database,
  { key, max, time }: Pick<Slot, 'key' | 'max' | 'time'>,
): Promise<number> {
  const slots = () => tx.selectFrom('message_slots').where('limit_key', '=', key);
  const { rows } = await sql<{
    taken: number;
  }>`select ${taken(sql.val(key), sql.val(time - DAY))} as taken`.execute(tx);
  if (Number(rows[0]?.taken) < max) return time;
  const held = await slots().select('message').where('held', '=', 1).limit(1).executeTakeFirst();
  // It may be used at any moment, or given up.
  if (held) return time + HOUR;
  const next = await slots()
    .select('taken_at')
    .where('held', '=', 0)
    .orderBy('taken_at', 'desc')
    .limit(1)
    .offset(max - 1)
    .executeTakeFirst();
  return next ? next.taken_at + DAY : time + HOUR;
}

/** The id of no message. */
const NO_MESSAGE = 0;

const lineOf = compiled<{ key: string; otherThan: number }>()((tx, value) =>
  tx
    .selectFrom('messages')
    .select('id')
    .where('waits_for', '=', value('key'))
    .where('state', '=', 'waiting')
    .where('id', '!=', value('otherThan'))
    .limit(1),
);

/** Whether anybody else stands in the line of a limit. */
export async function hasLine(tx: Database, key: string, otherThan: number | null): Promise<boolean> {
  const [first] = await lineOf(tx, { key, otherThan: otherThan ?? NO_MESSAGE });
  return first !== undefined;
}

/**
 * Whose turn it is at a limit. An author's place is the later of two moments: from when the oldest of their messages
 * counts, and when they had a slot last. So nobody has a second turn before everybody who stood there has had one, and
 * whoever comes later stands behind.
 * @param passed authors whose turn does not come now
 */
export async function nextInLine(
  tx: Database,
  key: string,
  passed: readonly string[] = [],
): Promise<{ id: number; public_id: string; author_hash: string } | null> {
  const served = sql`coalesce((select max(slot.taken_at) from message_slots as slot
    where slot.limit_key = ${key} and slot.author_hash = line.author_hash), 0)`;
  const turn = sql`coalesce((select max(slot.turn) from message_slots as slot
    where slot.limit_key = ${key} and slot.author_hash = line.author_hash), 0)`;
  const notBy = passed.length === 0 ? sql`` : sql`and author_hash not in (${sql.join(passed)})`;
  const { rows } = await sql<{ author_hash: string }>`
    select line.author_hash from (
      select author_hash, min(in_line_since) as since from messages
        where waits_for = ${key} and state = 'waiting' ${notBy} group by author_hash
    ) as line
    order by case when ${served} > line.since then ${served} else line.since end, ${turn}, line.since, line.author_hash
    limit 1`.execute(tx);
  const author = rows[0]?.author_hash;
  if (author === undefined) return null;
  const message = await tx
    .selectFrom('messages')
    .select(['id', 'public_id'])
    .where('waits_for', '=', key)
    .where('state', '=', 'waiting')
    .where('author_hash', '=', author)
    .orderBy('in_line_since')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return message ? { ...message, author_hash: author } : null;
}
