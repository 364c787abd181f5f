// Scrolls as their author is shown them: the row, the author's life, the clock, its recipients, and what became of its
// messages.
import { type Selectable, sql } from 'kysely';
import type { Scroll } from '../../../../shared/nouns/legacy.ts';
import type {
  DeliveryState,
  ScrollRecipient,
  WhisperEnvelope,
} from '../../../../shared/nouns/scroll-recipients.ts';
import type { ChangedRows } from '../../../changes/changed-rows.ts';
import { changedIn, type Range } from '../../../changes/changes-store.ts';
import type { Database } from '../../../db/open.ts';
import type { LegacyScrollsTable, RehearsalsTable } from '../../../db/schema/deadman.ts';
import type { MessagesTable } from '../../../db/schema/messages.ts';
import { iso, isoOrNull } from '../../../db/times.ts';
import type { Deps } from '../../../deps.ts';
import { accountGone } from '../../../errors.ts';
import { type Asked, type Page, readPage, type Slice } from '../../../http/pages.ts';
import { readInstanceClock } from '../../clock/counted-time-store.ts';
import { NEXT_IN_LINE } from '../../delivery/message-store.ts';
import { nextTry } from '../../delivery/send-limits.ts';
import { lastWarnings } from '../../delivery/warned-scrolls-store.ts';
import { holdOf, type Moment, remainingOf } from '../../watch/hold.ts';
import { type RecipientRow, recipientsOf } from './recipient-rows-store.ts';

export type Store = Pick<Deps, 'db' | 'now' | 'rules'>;
export type ScrollRow = Selectable<LegacyScrollsTable>;
type RehearsalRow = Selectable<RehearsalsTable>;
type MessageRow = Pick<
  Selectable<MessagesTable>,
  'scroll_id' | 'recipient_id' | 'kind' | 'state' | 'why' | 'attempts' | 'created_at' | 'sent_at'
> & { next_try: number | null };

/** The account's own row, as it stands; null for nobody's, or somebody else's. */
export async function readRow(db: Database, accountId: number, id: number): Promise<ScrollRow | null> {
  const row = await db
    .selectFrom('legacy_scrolls')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ?? null;
}

const size = sql<number>`octet_length(title) + octet_length(encrypted_content)
  + octet_length(coalesce(encrypted_scroll_key, '')) + coalesce((
    select sum(octet_length(coalesce(envelope, '')) + 400) from scroll_recipients
      where scroll_recipients.scroll_id = legacy_scrolls.id), 0)`.as('size');

/** One page, newest first; lighter than asked for where the letters are long. */
export async function listScrolls(deps: Store, accountId: number, asked: Asked): Promise<Page<Scroll>> {
  const slice = ({ limit, before }: Slice) =>
    deps.db
      .selectFrom('legacy_scrolls')
      .where('account_id', '=', accountId)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(limit);
  const { rows, more } = await readPage(asked, {
    sizes: (part) => slice(part).select(size).execute(),
    rows: (part) => slice(part).selectAll().execute(),
  });
  return { rows: await showAll(deps, accountId, rows), more };
}

const changed = (db: Database, range: Range) =>
  db
    .selectFrom('legacy_scrolls')
    .where('account_id', '=', range.accountId)
    .where(changedIn('legacy-scroll', range));

export const changedScrolls: ChangedRows<Scroll> = {
  sizes: (db, range) => changed(db, range).select('id').select(size).execute(),
  async rows(deps, range) {
    const rows = await changed(deps.db, range).selectAll().execute();
    const shown = await showAll(deps, range.accountId, rows);
    return shown.map((row) => ({ id: row.id, row }));
  },
};

export async function showScroll(deps: Store, accountId: number, row: ScrollRow): Promise<Scroll> {
  const [scroll] = await showAll(deps, accountId, [row]);
  if (!scroll) throw new Error('A row was lost while it was shown.');
  return scroll;
}

async function showAll(deps: Store, accountId: number, rows: ScrollRow[]): Promise<Scroll[]> {
  if (rows.length === 0) return [];
  const { db, now, rules } = deps;
  const { created_at, seen_at, counted_time, postponed_until } = await db
    .selectFrom('accounts')
    .leftJoin('last_activity', 'last_activity.account_id', 'accounts.id')
    .leftJoin('trusted_contacts', (join) =>
      join
        .onRef('trusted_contacts.account_id', '=', 'accounts.id')
        .on('trusted_contacts.declined_at', 'is', null),
    )
    .select(['accounts.created_at', 'last_activity.seen_at', 'last_activity.counted_time'])
    .select('trusted_contacts.postponed_until')
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow(accountGone);
  const moment: Moment = {
    lastActivity: counted_time === null ? null : { counted_time },
    postponedUntil: postponed_until,
    clock: await readInstanceClock(db),
    now: now(),
    rules,
  };
  const messages = await lastMessages(db, rows);
  const warned = rows.flatMap(({ id, warning_step }) => (warning_step > 0 ? [id] : []));
  const warnings = await lastWarnings(db, warned);
  const recipients = await recipientsOf(
    db,
    rows.map(({ id }) => id),
  );
  const rehearsals = await rehearsalsOf(db, recipients);
  const lastActivity = iso(seen_at ?? created_at);
  return rows.map((row) => {
    const mine = recipients.filter(({ scroll_id }) => scroll_id === row.id);
    const [first] = mine;
    if (!first) throw new Error('A letter has no recipient.');
    const warning = warnings.find(({ scroll_id }) => scroll_id === row.id);
    return {
      ...toScroll(row),
      recipientType: first.recipient_type,
      recipientAddress: first.recipient_address,
      recipients: mine.map((recipient) =>
        toRecipient(
          recipient,
          messages,
          moment,
          rehearsals.find(({ recipient_id }) => recipient_id === recipient.id),
        ),
      ),
      lastActivity,
      remaining: remainingOf(row, moment),
      hold: holdOf(row, moment),
      warned: row.warning_step > 0 ? toWarned(warning) : null,
    };
  });
}

/** The newest message of each kind to each recipient. A draft that was not rehearsed has none. */
async function lastMessages(db: Database, rows: ScrollRow[]): Promise<MessageRow[]> {
  const ids = rows.flatMap(({ id, state, rehearsal_sentence }) =>
    state === 'dormant' && rehearsal_sentence === null ? [] : [id],
  );
  if (ids.length === 0) return [];
  return db
    .selectFrom('messages')
    .leftJoin('jobs as line', (join) =>
      join.on('line.kind', '=', NEXT_IN_LINE).onRef('line.dedupe_key', '=', 'messages.waits_for'),
    )
    .select(['scroll_id', 'recipient_id', 'messages.kind', 'state', 'why'])
    .select(['messages.attempts', 'created_at', 'sent_at'])
    .select('line.run_at as next_try')
    .where('messages.id', 'in', (eb) =>
      eb
        .selectFrom('messages as newest')
        .select((q) => q.fn.max('newest.id').as('id'))
        .where('newest.scroll_id', 'in', ids)
        .groupBy(['newest.scroll_id', 'newest.recipient_id', 'newest.kind']),
    )
    .execute();
}

function toWarned(message: Pick<MessageRow, 'state' | 'why' | 'created_at'> | undefined): Scroll['warned'] {
  return message ? { at: iso(message.created_at), state: message.state, why: message.why } : null;
}

/** The last rehearsal of each recipient who has not been sent the letter. */
async function rehearsalsOf(db: Database, recipients: readonly RecipientRow[]): Promise<RehearsalRow[]> {
  const ids = recipients.flatMap(({ id, released_at }) => (released_at === null ? [id] : []));
  if (ids.length === 0) return [];
  return db.selectFrom('rehearsals').selectAll().where('recipient_id', 'in', ids).execute();
}

function toRehearsal(
  row: RehearsalRow | undefined,
  message: MessageRow | undefined,
  moment: Moment,
): ScrollRecipient['rehearsal'] {
  if (!row) return null;
  // Who wants no more of them is sent none: what is there is the message of an earlier rehearsal.
  const own = message && message.created_at >= row.asked_at ? message : undefined;
  return {
    askedAt: iso(row.asked_at),
    isOver: row.ends_counted <= moment.clock.counted_time,
    delivery: toDelivery(own, moment),
    seenAt: isoOrNull(row.seen_at),
    keylessAt: isoOrNull(row.keyless_at),
    wrongTries: row.wrong_tries,
    openedAt: isoOrNull(row.opened_at),
  };
}

function toRecipient(
  row: RecipientRow,
  messages: readonly MessageRow[],
  moment: Moment,
  rehearsal: RehearsalRow | undefined,
): ScrollRecipient {
  const lastOf = (wanted: MessageRow['kind']) =>
    messages.find(({ recipient_id, kind }) => recipient_id === row.id && kind === wanted);
  const reminder = lastOf('reminder');
  return {
    id: row.id,
    publicId: row.public_id,
    recipientType: row.recipient_type,
    recipientAddress: row.recipient_address,
    tell: row.tell,
    access: row.access,
    cardNumber: row.card_number,
    sheetsNeeded: row.sheets_needed,
    envelope: row.envelope === null ? null : (JSON.parse(row.envelope) as WhisperEnvelope),
    releasedAt: isoOrNull(row.released_at),
    openedAt: isoOrNull(row.opened_at),
    delivery: row.released_at === null ? null : toDelivery(lastOf('release'), moment),
    reminder: reminder
      ? { times: row.reminders, at: iso(reminder.created_at), state: reminder.state, why: reminder.why }
      : null,
    unopenedSince: isoOrNull(row.unopened_since),
    rehearsalsStoppedAt: isoOrNull(row.rehearsals_stopped_at),
    rehearsal: toRehearsal(rehearsal, lastOf('rehearsal'), moment),
  };
}

function toDelivery(message: MessageRow | undefined, { clock, now }: Moment): ScrollRecipient['delivery'] {
  if (!message || message.state === 'cancelled') return null;
  const state: DeliveryState = message.state;
  const { attempts, why, next_try } = message;
  const nextTryAt = state === 'waiting' ? nextTry(next_try, clock.counted_time, now) : null;
  return { state, at: isoOrNull(message.sent_at), attempts, why, nextTryAt };
}

/** What the row alone says. */
function toScroll(
  row: ScrollRow,
): Omit<
  Scroll,
  'recipientType' | 'recipientAddress' | 'recipients' | 'lastActivity' | 'remaining' | 'hold' | 'warned'
> {
  return {
    id: row.id,
    title: row.title,
    encryptedContent: row.encrypted_content,
    encryptedScrollKey: row.encrypted_scroll_key,
    authorName: row.author_name,
    triggerType: row.trigger_type,
    triggerValue: row.trigger_value,
    timeZone: row.time_zone,
    isActive: row.state === 'watching',
    hasTriggered: row.state === 'released',
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    version: row.version,
    handedOverAt: isoOrNull(row.handed_over_at),
    label: row.label,
    activatedAt: isoOrNull(row.armed_at),
    warning: row.warning,
    releasedAt: isoOrNull(row.released_at),
    sealId: row.seal_id,
    keyFingerprint: row.key_fingerprint,
  };
}
