// What becomes of messages: each outcome is one guarded statement, so that a message that was cancelled, or that another
// server has sent meanwhile, stays what it is.
import type { Selectable } from 'kysely';
import type { Database } from '../db/open.ts';
import type { MessagesTable } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { houseTime } from './house-clock-store.ts';
import { holdLife } from './life-store.ts';

export type Message = Selectable<MessagesTable>;

/** A message that waits, by its public id. */
export function findWaiting(db: Database, publicId: string): Promise<Message | undefined> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('public_id', '=', publicId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
}

/** How many presses in a row the life of an account rests on. */
export async function pressesOf(db: Database, accountId: number | null): Promise<number> {
  if (accountId === null) return 0;
  const life = await db
    .selectFrom('lives')
    .select('presses')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return life?.presses ?? 0;
}

/** A mail server, a telephone company or a vault has taken it. A warning counts from now on. */
export async function recordSent({ db, now }: Pick<Deps, 'db' | 'now'>, message: Message): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (message.kind === 'warning' && message.account_id !== null) await holdLife(tx, message.account_id);
    const sent = await tx
      .updateTable('messages')
      .set((eb) => ({ state: 'sent', sent_at: now(), attempts: eb('attempts', '+', 1), why: null }))
      .where('id', '=', message.id)
      .where('state', '=', 'waiting')
      .returning('scroll_id')
      .executeTakeFirst();
    if (!sent || message.kind !== 'warning' || sent.scroll_id === null) return;
    await tx
      .updateTable('legacy_scrolls')
      .set({ warning_accepted: await houseTime(tx) })
      .where('id', '=', sent.scroll_id)
      .where('state', '=', 'watching')
      .where('warning_accepted', 'is', null)
      .execute();
  });
}

/** It did not leave; `failed` when it never will by itself. */
export async function recordRefusal(
  db: Database,
  { id }: Message,
  { why, state }: { why: string; state: 'waiting' | 'failed' },
): Promise<void> {
  await db
    .updateTable('messages')
    .set((eb) => ({ state, why, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Whether a released whisper has a vault to appear in. */
export async function hasRecipientVault(db: Database, { scroll_id }: Message): Promise<boolean> {
  if (scroll_id === null) return false;
  const scroll = await db
    .selectFrom('legacy_scrolls')
    .select('recipient_account_id')
    .where('id', '=', scroll_id)
    .executeTakeFirst();
  return scroll !== undefined && scroll.recipient_account_id !== null;
}
