// The mail that tells an author what was released: written with the release, one a day, and without any part in whether
// and when something is released.
import type { Selectable } from 'kysely';
import { DAY, MINUTE } from '../../../shared/time.ts';
import { lockRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { LegacyScrollsTable } from '../../db/schema/deadman.ts';
import type { MessagesTable, ToldReleasesTable } from '../../db/schema/messages.ts';
import { DELIVER, writeMessage } from './message-store.ts';
import { provedAddresses } from './proved-addresses-store.ts';

/** What is released together is told together, in counted time. */
const GATHERS_FOR = 10 * MINUTE;

/** What a mail says of one release, as of now. */
export interface ToldRelease extends Omit<Selectable<ToldReleasesTable>, 'message_id'> {
  label: string | null;
  /** How many recipients have opened it. */
  opened: number;
  /** How many messages that tell of it wait to leave. */
  unsent: number;
  /** How many recipients are told only if nobody opens it, and were not told yet. */
  later: number;
}

type Released = Pick<Selectable<LegacyScrollsTable>, 'id' | 'time_zone'> & { account_id: number };

/**
 * Tells an author of a release, at each warning address that they have proved, by mail. What was not told yet is told in the same
 * mail, a day after the last one at the earliest.
 * @param tx a transaction that holds the life of the scroll's author, and in which the scroll was released
 */
export async function tellAuthor(
  tx: Database,
  scroll: Released,
  { time, countedTime }: { time: number; countedTime: number },
): Promise<void> {
  const { account_id } = scroll;
  const addresses = (await provedAddresses(tx, account_id)).filter(({ channel }) => channel === 'email');
  if (addresses.length === 0) return;
  const { recipients } = await tx
    .selectFrom('scroll_recipients')
    .select((q) => q.fn.countAll<number>().as('recipients'))
    .where('scroll_id', '=', scroll.id)
    .where('released_at', 'is not', null)
    .executeTakeFirstOrThrow();
  const now = {
    scroll_id: scroll.id,
    released_at: time,
    time_zone: scroll.time_zone,
    recipients: Number(recipients),
  };
  for (const { address } of addresses) {
    if (await goAlong(tx, { accountId: account_id, address }, now, countedTime)) continue;
    const waiting = await takeBackWaiting(tx, account_id, address);
    const gathered = (waiting.since ?? countedTime) + GATHERS_FOR;
    const last = await toldLastAt(tx, account_id, address);
    const message = await writeMessage(
      tx,
      {
        ...{ kind: 'after-release', channel: 'email', address, account_id },
        ...{ scroll_id: null, scroll_public_id: null },
      },
      {
        time,
        countedTime: waiting.since ?? countedTime,
        deliverAt: last === null ? gathered : Math.max(gathered, last + DAY),
      },
    );
    const { id } = await tx
      .selectFrom('messages')
      .select('id')
      .where('public_id', '=', message)
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('told_releases')
      .values([...waiting.releases, now].map((release) => ({ ...release, message_id: id })))
      .execute();
  }
}

/** Adds a release to a mail that nobody tries to send yet. @returns false where there is none */
async function goAlong(
  tx: Database,
  { accountId, address }: { accountId: number; address: string },
  release: Omit<Selectable<ToldReleasesTable>, 'message_id'>,
  countedTime: number,
): Promise<boolean> {
  const waiting = await tx
    .selectFrom('messages')
    .select(['id', 'public_id'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'after-release')
    .where('address', '=', address)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  if (!waiting) return false;
  // Nobody takes the job before this transaction ends.
  const job = tx
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', DELIVER)
    .where('dedupe_key', '=', waiting.public_id)
    .where('run_at', '>', countedTime)
    .where('lease_until', 'is', null);
  if (!(await lockRows(tx, job).executeTakeFirst())) return false;
  await tx
    .insertInto('told_releases')
    .values({ ...release, message_id: waiting.id })
    .execute();
  return true;
}

/** Cancels what has not left. One that is on its way just now is told twice, and none is lost. */
async function takeBackWaiting(tx: Database, accountId: number, address: string) {
  const cancelled = await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'after-release')
    .where('address', '=', address)
    .where('state', '=', 'waiting')
    .returning(['id', 'created_counted'])
    .execute();
  if (cancelled.length === 0) return { since: null, releases: [] };
  const releases = await tx
    .selectFrom('told_releases')
    .select(['scroll_id', 'released_at', 'time_zone', 'recipients'])
    .where(
      'message_id',
      'in',
      cancelled.map(({ id }) => id),
    )
    .orderBy('released_at')
    .execute();
  return { since: Math.min(...cancelled.map(({ created_counted }) => created_counted)), releases };
}

/** Counted time when such a mail left for an address last; null for never. */
async function toldLastAt(tx: Database, accountId: number, address: string): Promise<number | null> {
  const { last } = await tx
    .selectFrom('messages')
    .select((q) => q.fn.max('sent_counted').as('last'))
    .where('account_id', '=', accountId)
    .where('kind', '=', 'after-release')
    .where('address', '=', address)
    .where('state', '=', 'sent')
    .executeTakeFirstOrThrow();
  return last === null ? null : Number(last);
}

/** Messages with the releases that they tell of, the earliest first. Only mails after a release tell of any. */
export async function withReleases<M extends Pick<Selectable<MessagesTable>, 'id' | 'kind'>>(
  db: Database,
  messages: readonly M[],
): Promise<(M & { releases: ToldRelease[] })[]> {
  const telling = messages.filter(({ kind }) => kind === 'after-release').map(({ id }) => id);
  const rows = telling.length === 0 ? [] : await releasesOf(db, telling);
  return messages.map((message) => ({
    ...message,
    releases: rows.flatMap(({ message_id, opened, unsent, later, ...release }) =>
      message_id === message.id
        ? [{ ...release, opened: Number(opened), unsent: Number(unsent), later: Number(later) }]
        : [],
    ),
  }));
}

const releasesOf = (db: Database, messageIds: readonly number[]) =>
  db
    .selectFrom('told_releases as told')
    .leftJoin('legacy_scrolls as scroll', 'scroll.id', 'told.scroll_id')
    .select(['told.message_id', 'told.scroll_id', 'told.released_at', 'told.time_zone', 'told.recipients'])
    .select('scroll.label')
    .select(({ selectFrom }) => [
      selectFrom('scroll_recipients')
        .select((q) => q.fn.countAll<number>().as('n'))
        .whereRef('scroll_recipients.scroll_id', '=', 'told.scroll_id')
        .where('scroll_recipients.opened_at', 'is not', null)
        .as('opened'),
      selectFrom('messages')
        .select((q) => q.fn.countAll<number>().as('n'))
        .whereRef('messages.scroll_id', '=', 'told.scroll_id')
        .where('messages.kind', '=', 'release')
        .where('messages.state', '=', 'waiting')
        .as('unsent'),
      selectFrom('scroll_recipients')
        .select((q) => q.fn.countAll<number>().as('n'))
        .whereRef('scroll_recipients.scroll_id', '=', 'told.scroll_id')
        .where('scroll_recipients.released_at', 'is', null)
        .as('later'),
    ])
    .where('told.message_id', 'in', messageIds)
    .orderBy('told.released_at')
    .orderBy('told.scroll_id')
    .execute();
