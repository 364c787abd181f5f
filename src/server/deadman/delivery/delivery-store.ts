// What becomes of messages: each outcome is one guarded statement, so that a message that was cancelled, or that another
// server has sent meanwhile, stays what it is.
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { NamedKit } from '../../adapters/letter-parts.ts';
import { lockScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { MessagesTable } from '../../db/schema/messages.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { ackJob, rescheduleJob } from '../../jobs/queue-store.ts';
import type { LeasedJob } from '../../jobs/registry.ts';
import { countedNow, countedTime } from '../clock/counted-time-store.ts';
import { lockLastActivity } from '../watch/last-activity-store.ts';
import { followAgain, holdRecipient } from './follow-again-store.ts';
import { countKitWarning, withKits } from './kit-messages-store.ts';
import { type ToldRelease, withReleases } from './told-releases-store.ts';
import { type WarnedScroll, withScrolls } from './warned-scrolls-store.ts';

export interface Message extends Selectable<MessagesTable> {
  /** The number of its account; null for none. */
  account_uid: string | null;
  /** The name of the author's contact, and what the link is made from with which they may postpone; null for none. */
  contact_name: string | null;
  contact_link: string | null;
  /** What the link is made from by which the contact is one no more. */
  contact_decline: string | null;
  /** How many guardians' sheets open the letter of its recipient; null where a card or a passphrase does, and for others. */
  sheets_needed: number | null;
  /** What a mail about another instance's letter brings, sealed as it is kept; null for others. */
  sister_token: string | null;
  /** The instance that such a letter came from. */
  sister_home: string | null;
  /** When somebody opened such a letter who may be its recipient; null for nobody, and for others. */
  sister_opened: number | null;
  /** Those that a warning names; no other message names any there. */
  scrolls: readonly WarnedScroll[];
  /** Those that a mail after a release tells of; no other message tells of any. */
  releases: readonly ToldRelease[];
  /** Those that wait, for a warning of them; no other message names any. */
  kits: readonly NamedKit[];
}

/** What a message says of people, for a query of messages with `trusted_contacts` beside them. */
export const contactColumns = [
  'trusted_contacts.name as contact_name',
  'trusted_contacts.decline_number as contact_decline',
  sql<string | null>`case when trusted_contacts.postponed_at is null
    then trusted_contacts.link_number end`.as('contact_link'),
  sql<number | null>`(select scroll_recipients.sheets_needed from scroll_recipients
    where scroll_recipients.id = messages.recipient_id)`.as('sheets_needed'),
  sql<string | null>`(select sister_tokens.token from sister_tokens
    where sister_tokens.message = messages.public_id)`.as('sister_token'),
  sql<string | null>`(select sister_letters.from_origin from sister_letters
    where messages.kind = 'sister-letter' and sister_letters.id = messages.scroll_public_id)`.as(
    'sister_home',
  ),
  sql<number | null>`(select sister_tokens.shown_later_at from sister_tokens
    where sister_tokens.message = messages.public_id)`.as('sister_opened'),
] as const;

/** A message that waits, by its public id. */
export async function findWaiting(db: Database, publicId: string): Promise<Message | undefined> {
  const rows = await db
    .selectFrom('messages')
    .leftJoin('accounts', 'accounts.id', 'messages.account_id')
    .leftJoin('trusted_contacts', 'trusted_contacts.account_id', 'messages.account_id')
    .selectAll('messages')
    .select('accounts.uid as account_uid')
    .select(contactColumns)
    .where('messages.public_id', '=', publicId)
    .where('messages.state', '=', 'waiting')
    .execute();
  const [message] = await withKits(db, await withReleases(db, await withScrolls(db, rows)));
  return message;
}

/** Whether a message's vault was destroyed: then it is about to be erased, or to be let go with its scroll. */
export async function isOfDestroyedVault(db: Database, { account_id }: Message): Promise<boolean> {
  if (account_id === null) return false;
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', account_id)
    .executeTakeFirst();
  return account === undefined;
}

/** How many confirmations in a row the last activity of an account rests on. */
export async function confirmationsOf(db: Database, accountId: number | null): Promise<number> {
  if (accountId === null) return 0;
  const lastActivity = await db
    .selectFrom('last_activity')
    .select('confirmations')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return lastActivity?.confirmations ?? 0;
}

/** What an author and an administrator read of a message that was tried once without a record of it. */
export const PERHAPS =
  'It may have been handed over before: the server stopped before it could write that down.';

/** Whether a job was taken before, and nobody knows what became of that. */
export const isRepeat = (job: LeasedJob): boolean => job.attempts > 1;

/** Says why a message still waits, though nothing was tried. */
export async function noteWaiting(db: Database, { id }: Message, why: string): Promise<void> {
  await db.updateTable('messages').set({ why }).where('id', '=', id).where('state', '=', 'waiting').execute();
}

/**
 * What became of a try: it was accepted, or why not, whether its address was refused, and at which counted time it is
 * tried again; null for never.
 */
export type Outcome = 'sent' | { why: string; refused: boolean; again: number | null };

/**
 * Writes down what became of a message and of its job, in one transaction: whoever asks for another try in between
 * would lose the job that it needs.
 */
export async function settle(
  { db, now, rules, catchUp }: Pick<Deps, 'db' | 'now' | 'rules' | 'catchUp'>,
  message: Message,
  job: LeasedJob,
  outcome: Outcome,
): Promise<void> {
  // Once unknown, always unknown: what became of this try says nothing of the earlier one.
  const perhaps = isRepeat(job) || message.why?.includes(PERHAPS);
  // A machine that slept while it was on its way must not take it for a warning of yesterday.
  await catchUp();
  await transact(db, async (tx) => {
    if (outcome === 'sent') {
      if (message.kind === 'warning') await countWarning(tx, message, rules);
      if (message.kind === 'kit-asked' && message.account_id !== null) {
        await lockLastActivity(tx, message.account_id);
        await countKitWarning(tx, message, rules);
      }
      if (message.recipient_id !== null) await holdRecipient(tx, message.recipient_id);
      const counted = await countedTime(tx);
      const isSent = await recordSent(tx, message, { time: now(), counted, why: perhaps ? PERHAPS : null });
      // It may have waited for so long that its recipient was given up.
      await (isSent && followAgain(tx, message.recipient_id, counted));
      return ackJob(tx, job);
    }
    const { why, refused, again } = outcome;
    await recordRefusal(tx, message, {
      refused,
      why: perhaps ? `${why} ${PERHAPS}` : why,
      state: again === null ? 'failed' : 'waiting',
    });
    return again === null ? ackJob(tx, job) : rescheduleJob(tx, job, again);
  });
}

/** A mail server, a telephone company or a vault has taken it. False where it waits no more. */
async function recordSent(
  tx: Database,
  message: Message,
  { time, counted, why }: { time: number; counted: number; why: string | null },
): Promise<boolean> {
  const sent = await tx
    .updateTable('messages')
    .set((eb) => ({
      state: 'sent',
      sent_at: time,
      sent_counted: counted,
      attempts: eb('attempts', '+', 1),
      why,
    }))
    .where('id', '=', message.id)
    .where('state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();
  return sent !== undefined;
}

/**
 * A warning that was accepted counts from now on, for each scroll that it names. Rows are taken in the order of everything
 * that changes them: the life, the scrolls, their messages.
 */
async function countWarning(tx: Database, { id, account_id }: Message, rules: Deps['rules']): Promise<void> {
  if (account_id === null) return;
  await lockLastActivity(tx, account_id);
  const named = (eb: ExpressionBuilder<Schema, 'legacy_scrolls'>) =>
    eb('id', 'in', eb.selectFrom('warned_scrolls').select('scroll_id').where('message_id', '=', id));
  await lockScrolls(tx, named);
  await tx
    .updateTable('legacy_scrolls')
    .set({ warning_accepted: countedNow(rules) })
    .where(named)
    .where('state', '=', sql.lit('watching'))
    .where('warning_accepted', 'is', null)
    // One that was cancelled on its way belongs to a silence that is over.
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('messages').select('id').where('id', '=', id).where('state', '=', 'waiting')),
    )
    .execute();
}

/** It did not leave; `failed` when it never will by itself. */
async function recordRefusal(
  tx: Database,
  { id }: Message,
  { why, refused, state }: { why: string; refused: boolean; state: 'waiting' | 'failed' },
): Promise<void> {
  await tx
    .updateTable('messages')
    .set((eb) => ({ state, why, refused: refused ? 1 : 0, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Whether a released whisper has a vault to appear in. */
export async function hasRecipientVault(db: Database, { recipient_id }: Message): Promise<boolean> {
  if (recipient_id === null) return false;
  const vault = await db
    .selectFrom('scroll_recipients')
    .innerJoin('accounts as recipient', 'recipient.id', 'scroll_recipients.recipient_account_id')
    .select('recipient.id')
    .where('scroll_recipients.id', '=', recipient_id)
    .executeTakeFirst();
  return vault !== undefined;
}
