// What an oracle reads in the database of a simulated server. It reads beside the servers and changes nothing.
import { compiled } from '../server/db/compiled.ts';
import type { Database } from '../server/db/open.ts';

const readMessages = compiled<{ after: number }>()((db, value) =>
  db
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
      'messages.address',
      'messages.created_counted',
      'messages.state',
      'scroll.watching_since',
      'last_activity.counted_time as lastActivity',
    ])
    .where('messages.id', '>', value('after'))
    .orderBy('messages.id'),
);

export const newMessages = (db: Database, after: number) => readMessages(db, { after });
export type NewMessage = Awaited<ReturnType<typeof newMessages>>[number];

/** The scrolls that a warning names. */
export function warnedScrolls(db: Database, messageId: number) {
  return db
    .selectFrom('warned_scrolls as named')
    .innerJoin('legacy_scrolls as scroll', 'scroll.id', 'named.scroll_id')
    .leftJoin('last_activity', 'last_activity.account_id', 'scroll.account_id')
    .select(['named.scroll_id', 'scroll.watching_since', 'last_activity.counted_time as lastActivity'])
    .where('named.message_id', '=', messageId)
    .orderBy('named.scroll_id')
    .execute();
}
export type WarnedScroll = Awaited<ReturnType<typeof warnedScrolls>>[number];

/** Which of these messages are written down as sent. */
export async function sentMessages(db: Database, publicIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('messages')
    .select('public_id')
    .where('public_id', 'in', publicIds)
    .where('state', '=', 'sent')
    .execute();
  return new Set(rows.map(({ public_id }) => public_id));
}

/** The addresses that somebody has proved. */
export async function addressesOf(db: Database, author: number): Promise<string[]> {
  const rows = await db
    .selectFrom('warning_addresses')
    .select('address')
    .where('account_id', '=', author)
    .where('proved_at', 'is not', null)
    .execute();
  return rows.flatMap(({ address }) => address ?? []);
}

/** Which releases are told of, to whom, by mails that were not taken back. */
export function releasesTold(db: Database) {
  return db
    .selectFrom('told_releases as told')
    .innerJoin('messages', 'messages.id', 'told.message_id')
    .select(['told.scroll_id', 'messages.address'])
    .where('messages.state', '!=', 'cancelled')
    .execute();
}

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
      'messages.address',
      'messages.state',
      'messages.why',
      'jobs.id as job',
    ])
    .where('messages.kind', '=', 'release');
  return (state ? query.where('messages.state', '=', state) : query).execute();
}

/** What trusted contacts have postponed. */
export function postponements(db: Database) {
  return db
    .selectFrom('trusted_contacts')
    .select(['account_id', 'postponed_at', 'postponed_until'])
    .execute();
}
export type PostponedRow = Awaited<ReturnType<typeof postponements>>[number];

export function waitingMessages(db: Database) {
  return db.selectFrom('messages').select(['public_id', 'kind']).where('state', '=', 'waiting').execute();
}

/** Recipients who were told of a release, with what they were sent. @param open those alone who may yet be reminded */
export async function recipientsTold(db: Database, open = false) {
  const query = db
    .selectFrom('scroll_recipients as recipient')
    .select([
      'recipient.id',
      'recipient.public_id',
      'recipient.recipient_type',
      'recipient.released_counted',
      'recipient.reminders',
      'recipient.opened_at',
      'recipient.unopened_since',
    ])
    .where('recipient.released_at', 'is not', null)
    .orderBy('recipient.id');
  const isOpen = query.where('recipient.opened_at', 'is', null).where('recipient.unopened_since', 'is', null);
  const rows = await (open ? isOpen : query).execute();
  const messages = await db
    .selectFrom('messages')
    .select(['recipient_id', 'kind', 'state', 'created_counted', 'sent_counted'])
    .where('kind', 'in', ['release', 'reminder'])
    .where('recipient_id', 'is not', null)
    .orderBy('id')
    .execute();
  const byRecipient = new Map<number | null, typeof messages>();
  for (const message of messages) {
    const own = byRecipient.get(message.recipient_id);
    if (own) own.push(message);
    else byRecipient.set(message.recipient_id, [message]);
  }
  return rows.map((row) => {
    const own = byRecipient.get(row.id) ?? [];
    return {
      ...row,
      /** The newest message's state, and when it was written. */
      newest: own.at(-1)?.state ?? null,
      last: own.at(-1)?.created_counted ?? null,
      lastAccepted: own.at(-1)?.sent_counted ?? null,
      /** When the message of the release was accepted. */
      accepted: own.find(({ kind }) => kind === 'release')?.sent_counted ?? null,
    };
  });
}

/** Whether the address of a recipient has refused something. */
export async function hasRefused(db: Database, publicId: string): Promise<boolean> {
  const failed = await db
    .selectFrom('messages')
    .select('id')
    .where('scroll_public_id', '=', publicId)
    .where('state', '=', 'failed')
    .where('refused', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return failed !== undefined;
}

/** Whether somebody is told only if nobody opens a letter, nobody has, and they were not told. */
export async function isLastForgotten(db: Database): Promise<boolean> {
  const forgotten = await db
    .selectFrom('scroll_recipients as last')
    .select('last.id')
    .where('last.tell', '=', 'if-unopened')
    .where('last.released_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('legacy_scrolls')
          .select('legacy_scrolls.id')
          .whereRef('legacy_scrolls.id', '=', 'last.scroll_id')
          .where('legacy_scrolls.state', '=', 'released'),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('scroll_recipients as other')
            .select('other.id')
            .whereRef('other.scroll_id', '=', 'last.scroll_id')
            .where('other.tell', '=', 'at-release')
            .where((eb) =>
              eb.or([eb('other.opened_at', 'is not', null), eb('other.unopened_since', 'is', null)]),
            ),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return forgotten !== undefined;
}

/** Who is to be told of a pause, at which address. */
export async function toBeTold(db: Database): Promise<{ address: string; kind: string }[]> {
  const proved = await db
    .selectFrom('warning_addresses as warned')
    .innerJoin('accounts', 'accounts.id', 'warned.account_id')
    .select(['warned.account_id', 'warned.address', 'accounts.is_admin'])
    .where('warned.proved_at', 'is not', null)
    .execute();
  const watching = await db
    .selectFrom('legacy_scrolls')
    .select('account_id')
    .distinct()
    .where('state', '=', 'watching')
    .where('trigger_type', '!=', 'manual')
    .execute();
  const authors = new Set(watching.map(({ account_id }) => account_id));
  return proved.flatMap(({ account_id, address, is_admin }) => [
    ...(address !== null && authors.has(account_id) ? [{ address, kind: 'paused' }] : []),
    ...(address !== null && is_admin ? [{ address, kind: 'confirm-switch' }] : []),
  ]);
}

const findDue = compiled<{ countedTime: number; calendar: number }>()((db, value) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('run_at', '<=', value('countedTime')),
        eb.and([eb('kind', '=', 'notify'), eb('run_at', '<=', value('calendar'))]),
      ]),
    )
    .limit(1),
);

/** @param calendar what the machine's calendar says: notices of a pause go by it */
export async function isAnythingDue(db: Database, countedTime: number, calendar = 0): Promise<boolean> {
  return (await findDue(db, { countedTime, calendar })).length > 0;
}
