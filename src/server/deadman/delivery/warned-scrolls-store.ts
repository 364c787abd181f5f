// Which scrolls a warning names. A scroll that is disarmed, deleted or released leaves the warnings that have not left
// yet; one that names no scroll any more is cancelled.
import type { Insertable, Selectable } from 'kysely';
import { lockRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { LegacyScrollsTable } from '../../db/schema/deadman.ts';
import type { MessagesTable, WarnedScrollsTable } from '../../db/schema/messages.ts';

/** What a warning says of one scroll. */
export type WarnedScroll = Pick<Selectable<WarnedScrollsTable>, 'scroll_id' | 'due_in'> &
  Pick<Selectable<LegacyScrollsTable>, 'label' | 'armed_at' | 'time_zone'> & {
    recipients: number;
    /** Counted time of its first accepted warning; null for none. */
    accepted: number | null;
  };

export async function nameScrolls(
  tx: Database,
  publicId: string,
  scrolls: readonly Omit<Insertable<WarnedScrollsTable>, 'message_id'>[],
): Promise<void> {
  const { id } = await tx
    .selectFrom('messages')
    .select('id')
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('warned_scrolls')
    .values(scrolls.map((scroll) => ({ ...scroll, message_id: id })))
    .execute();
}

/** Messages with the scrolls that they name, those first that are due first. Only warnings name any, to authors and to their contacts. */
export async function withScrolls<M extends Pick<Selectable<MessagesTable>, 'id' | 'kind'>>(
  db: Database,
  messages: readonly M[],
): Promise<(M & { scrolls: WarnedScroll[] })[]> {
  const warnings = messages
    .filter(({ kind }) => kind === 'warning' || kind === 'contact-warning')
    .map(({ id }) => id);
  const rows =
    warnings.length === 0
      ? []
      : await db
          .selectFrom('warned_scrolls as named')
          .innerJoin('legacy_scrolls as scroll', 'scroll.id', 'named.scroll_id')
          .select(['named.message_id', 'named.scroll_id', 'named.due_in'])
          .select(['scroll.label', 'scroll.armed_at', 'scroll.time_zone'])
          .select('scroll.warning_accepted as accepted')
          .select(({ selectFrom }) =>
            selectFrom('scroll_recipients')
              .select((q) => q.fn.countAll<number>().as('n'))
              .whereRef('scroll_recipients.scroll_id', '=', 'named.scroll_id')
              .as('recipients'),
          )
          .where('named.message_id', 'in', warnings)
          .orderBy('named.due_in')
          .orderBy('named.scroll_id')
          .execute();
  return messages.map((message) => ({
    ...message,
    scrolls: rows.flatMap(({ message_id, recipients, ...scroll }) =>
      message_id === message.id ? [{ ...scroll, recipients: Number(recipients) }] : [],
    ),
  }));
}

/** Cancels what has not left of an account's warnings, or of what its contact is told. @returns the scrolls that it named */
export async function cancelWaitingWarnings(
  tx: Database,
  accountId: number,
  kind: 'warning' | 'contact-warning' = 'warning',
): Promise<Set<number>> {
  const cancelled = await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('state', '=', 'waiting')
    .returning('id')
    .execute();
  if (cancelled.length === 0) return new Set();
  const ids = cancelled.map(({ id }) => id);
  const named = await tx
    .selectFrom('warned_scrolls')
    .select('scroll_id')
    .where('message_id', 'in', ids)
    .execute();
  return new Set(named.map(({ scroll_id }) => scroll_id));
}

/** The last warning of an account that has left: when, in counted time, and whether it names a scroll; null for none. */
export async function warnedLast(
  tx: Database,
  accountId: number,
  scrollId: number,
): Promise<{ at: number; namesIt: boolean } | null> {
  const last = await tx
    .selectFrom('messages')
    .leftJoin('warned_scrolls as named', (join) =>
      join.onRef('named.message_id', '=', 'messages.id').on('named.scroll_id', '=', scrollId),
    )
    .select(['messages.sent_counted', 'named.scroll_id'])
    .where('messages.account_id', '=', accountId)
    .where('messages.kind', '=', 'warning')
    .where('messages.state', '=', 'sent')
    .where('messages.sent_counted', 'is not', null)
    .orderBy('messages.sent_counted', 'desc')
    .orderBy('messages.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined || last.sent_counted === null) return null;
  return { at: last.sent_counted, namesIt: last.scroll_id !== null };
}

/**
 * No warning that has not left names this scroll any more.
 * @param states `failed` too where the administrator shall not try again
 */
export async function unwarn(
  tx: Database,
  scrollId: number,
  states: ('waiting' | 'failed')[] = ['waiting'],
): Promise<void> {
  const naming = tx
    .selectFrom('messages')
    .select('id')
    .where('kind', 'in', ['warning', 'contact-warning'])
    .where('state', 'in', states)
    .where('id', 'in', (q) =>
      q.selectFrom('warned_scrolls').select('message_id').where('scroll_id', '=', scrollId),
    )
    .orderBy('id');
  const ids = (await lockRows(tx, naming).execute()).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .deleteFrom('warned_scrolls')
    .where('scroll_id', '=', scrollId)
    .where('message_id', 'in', ids)
    .execute();
  await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('warned_scrolls')
            .select('warned_scrolls.scroll_id')
            .whereRef('warned_scrolls.message_id', '=', 'messages.id'),
        ),
      ),
    )
    .execute();
}

/** The newest warning that names each of these scrolls. */
export async function lastWarnings(db: Database, scrollIds: readonly number[]) {
  if (scrollIds.length === 0) return [];
  return db
    .selectFrom('warned_scrolls as named')
    .innerJoin('messages', 'messages.id', 'named.message_id')
    .select(['named.scroll_id', 'messages.state', 'messages.why', 'messages.created_at'])
    .where('named.scroll_id', 'in', scrollIds)
    .where('messages.kind', '=', 'warning')
    .where(({ eb, selectFrom }) =>
      eb(
        'named.message_id',
        '=',
        selectFrom('warned_scrolls as newest')
          .innerJoin('messages as other', 'other.id', 'newest.message_id')
          .select((q) => q.fn.max('newest.message_id').as('id'))
          .whereRef('newest.scroll_id', '=', 'named.scroll_id')
          .where('other.kind', '=', 'warning'),
      ),
    )
    .execute();
}
