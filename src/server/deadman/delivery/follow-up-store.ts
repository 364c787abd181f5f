// What follows a release, for each recipient: reminders until they have opened the letter, and in the end those who are
// told only when nobody has. One job for each recipient decides it, in one transaction: a server that dies has done all
// of a step or nothing. All times are counted time, so that an absence or a clock that was set sends nothing at once.
import type { Selectable } from 'kysely';
import type { RecipientType } from '../../../shared/nouns/scroll-recipients.ts';
import type { SwitchRules } from '../../../shared/nouns/switch-rules.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { lockScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { LegacyScrollsTable, ScrollRecipientsTable } from '../../db/schema/deadman.ts';
import type { MessagesTable } from '../../db/schema/messages.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { ackJob, rescheduleJob } from '../../jobs/queue-store.ts';
import type { LeasedJob } from '../../jobs/registry.ts';
import { holdRecipient, LOOKS_AGAIN } from './follow-again-store.ts';
import { writeMessage } from './message-store.ts';
import { recipientMessageId, releaseToRecipients } from './recipient-release-store.ts';
import { hashOfAuthor } from './send-limits.ts';
import { lockLimits } from './slot-store.ts';

export type FollowUpDeps = Pick<Deps, 'db' | 'now' | 'digests' | 'rules'>;

type Rules = Pick<SwitchRules, 'reminders' | 'unopenedAfter'>;
type Recipient = Selectable<ScrollRecipientsTable>;
type Scroll = Selectable<LegacyScrollsTable>;
type Message = Pick<Selectable<MessagesTable>, 'kind' | 'state' | 'refused' | 'sent_counted'>;

/** The last month of a scroll that a destroyed vault has left: nothing is written of it any more. */
const LAST_DAYS = 30 * DAY;

/** What is due of a recipient: `at` says when to look again, in counted time. */
export type Due = { do: 'wait'; at: number } | { do: 'remind'; next: number } | { do: 'give-up' };

interface Told {
  recipientType: RecipientType;
  reminders: number;
  /** Whether the recipient wants no reminders; those who come after are told all the same, and when they would be. */
  isStopped: boolean;
  /** When it was released to them, in counted time. */
  releasedAt: number;
  /** Their newest message, and when the one that told of the release was accepted. Null where nothing is sent. */
  newest: Pick<Message, 'state' | 'refused' | 'sent_counted'> | null;
  acceptedAt: number | null;
}

/**
 * Decides what is due. Days are counted from when the message of the release was accepted, and no two reminders go
 * closer than the first does to it. A whisper and a card are reminded of by nothing: the one lies in a list, and whoever
 * has the other has no address.
 * @param time counted time
 */
export function nextFollowUp(
  { recipientType, reminders, isStopped, releasedAt, newest, acceptedAt }: Told,
  time: number,
  rules: Rules,
): Due {
  const told = acceptedAt ?? releasedAt;
  if (newest?.state === 'waiting') {
    // It may wait for what never comes. It stays in the queue, and those who come after are told.
    const isLate = time >= told + rules.unopenedAfter;
    return isLate ? { do: 'give-up' } : { do: 'wait', at: time + LOOKS_AGAIN };
  }
  // An address that takes no message takes no reminder, and nobody is reminded of what they were not told. A reminder that
  // was given up for another reason ends no other.
  const isRefused = newest?.refused === 1 || acceptedAt === null;
  if (newest?.state === 'failed' && isRefused) return { do: 'give-up' };
  const isReminded = (recipientType === 'email' || recipientType === 'sms') && !isStopped;
  const steps = isReminded ? rules.reminders : [];
  const due = told + (steps[reminders] ?? rules.unopenedAfter);
  // A reminder that has waited for long is as new as the day on which it was accepted.
  const at =
    reminders > 0 && steps.length > 0 ? Math.max(due, (newest?.sent_counted ?? 0) + (steps[0] ?? 0)) : due;
  if (time < at) return { do: 'wait', at };
  if (reminders >= steps.length) return { do: 'give-up' };
  const next = told + (steps[reminders + 1] ?? rules.unopenedAfter);
  return { do: 'remind', next: Math.max(next, time + (steps[0] ?? DAY)) };
}

/** Does what is due of the recipient of a job. */
export function followUp(deps: FollowUpDeps, job: LeasedJob, time: number): Promise<unknown> {
  return transact(deps.db, async (tx) => {
    const found = await findRecipient(tx, job.dedupe_key);
    if (!found) return ackJob(tx, job);
    // Two recipients of one scroll come to their end one after the other.
    await lockScrolls(tx, (eb) => eb('id', '=', found.scroll_id));
    const recipient = await findRecipient(tx, job.dedupe_key);
    const scroll = await tx
      .selectFrom('legacy_scrolls')
      .selectAll()
      .where('id', '=', found.scroll_id)
      .executeTakeFirst();
    if (!recipient || !scroll || recipient.released_counted === null || isOver(recipient, scroll, time)) {
      return ackJob(tx, job);
    }
    // Its vault was destroyed: the scroll is about to be erased, or to be let go.
    if (!(await isAccount(tx, scroll.account_id))) return rescheduleJob(tx, job, time + HOUR);
    await lockLimits(tx);
    await holdRecipient(tx, recipient.id);
    const due = await dueOf(
      tx,
      { ...recipient, released_counted: recipient.released_counted },
      time,
      deps.rules,
    );
    if (due.do === 'wait') return rescheduleJob(tx, job, due.at);
    if (due.do === 'remind') {
      await remind(deps, tx, { recipient, scroll, time });
      return rescheduleJob(tx, job, due.next);
    }
    await giveUp(deps, tx, recipient, scroll);
    return ackJob(tx, job);
  });
}

const findRecipient = (tx: Database, publicId: string) =>
  tx.selectFrom('scroll_recipients').selectAll().where('public_id', '=', publicId).executeTakeFirst();

const isOver = ({ opened_at, unopened_since }: Recipient, { kept_until }: Scroll, time: number): boolean =>
  opened_at !== null || unopened_since !== null || (kept_until !== null && kept_until - LAST_DAYS <= time);

async function isAccount(tx: Database, accountId: number | null): Promise<boolean> {
  if (accountId === null) return true;
  const account = tx.selectFrom('accounts').select('id').where('id', '=', accountId);
  return (await account.executeTakeFirst()) !== undefined;
}

async function dueOf(
  tx: Database,
  {
    id,
    recipient_type,
    reminders,
    reminders_stopped_at,
    released_counted,
  }: Recipient & { released_counted: number },
  time: number,
  rules: Rules,
): Promise<Due> {
  const messages = await tx
    .selectFrom('messages')
    .select(['kind', 'state', 'refused', 'sent_counted'])
    .where('recipient_id', '=', id)
    .where('kind', 'in', ['release', 'reminder'])
    .orderBy('id')
    .execute();
  const told: Told = {
    recipientType: recipient_type,
    reminders,
    isStopped: reminders_stopped_at !== null,
    releasedAt: released_counted,
    newest: messages.at(-1) ?? null,
    acceptedAt: messages.find(({ kind }) => kind === 'release')?.sent_counted ?? null,
  };
  return nextFollowUp(told, time, rules);
}

async function remind(
  { digests, now }: FollowUpDeps,
  tx: Database,
  { recipient, scroll, time }: { recipient: Recipient; scroll: Scroll; time: number },
): Promise<void> {
  const { id, public_id, recipient_type: channel, recipient_address: address, reminders } = recipient;
  if (channel === 'card') return;
  const counted = await tx
    .updateTable('scroll_recipients')
    .set({ reminders: reminders + 1 })
    .where('id', '=', id)
    .where('reminders', '=', reminders)
    .where('reminders_stopped_at', 'is', null)
    .where('opened_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!counted) return;
  await writeMessage(
    tx,
    {
      public_id: recipientMessageId(digests, { id, public_id }, reminders + 1),
      kind: 'reminder',
      ...{ channel, address },
      step: reminders + 1,
      account_id: scroll.account_id,
      scroll_id: scroll.id,
      recipient_id: id,
      scroll_public_id: public_id,
      author_name: scroll.author_name,
      ...(scroll.account_id === null
        ? { author_hash: scroll.author_hash, texts_permitted: scroll.texts_permitted }
        : {}),
    },
    { time: now(), countedTime: time },
  );
}

/** Nothing more is sent to a recipient. Once that is so of all who were told, those are told who come after them. */
async function giveUp(deps: FollowUpDeps, tx: Database, recipient: Recipient, scroll: Scroll): Promise<void> {
  const unopened = await tx
    .updateTable('scroll_recipients')
    .set({ unopened_since: deps.now() })
    .where('id', '=', recipient.id)
    .where('opened_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!unopened) return;
  const others = await tx
    .selectFrom('scroll_recipients')
    .select('id')
    .where('scroll_id', '=', scroll.id)
    .where('released_at', 'is not', null)
    .where((eb) => eb.or([eb('opened_at', 'is not', null), eb('unopened_since', 'is', null)]))
    .limit(1)
    .executeTakeFirst();
  if (others) return;
  await releaseToRecipients(deps, tx, {
    tell: 'if-unopened',
    scrollId: scroll.id,
    accountId: scroll.account_id,
    author: scroll.author_hash ?? hashOfAuthor(deps.digests, scroll.account_id),
    authorName: scroll.author_name,
    inLineSince: null,
    textsPermitted: scroll.texts_permitted,
  });
}

/** How many recipients have not opened their letter, though everything was sent that will be. */
export async function countUnopened(db: Database): Promise<number> {
  const { n } = await db
    .selectFrom('scroll_recipients')
    .select((q) => q.fn.countAll<number>().as('n'))
    .where('unopened_since', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(n);
}
