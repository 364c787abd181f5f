// The rows of a scroll: a scroll with one recipient, written as if it were one row, and what stands in the database of one.
import type { Insertable } from 'kysely';
import type { LegacyScrollsTable, ScrollRecipientsTable } from '../server/db/schema/deadman.ts';
import type { TestInstance } from './instance.ts';

const RECIPIENT_COLUMNS = [
  'public_id',
  'recipient_type',
  'recipient_address',
  'recipient_account_id',
  'tell',
  'access',
  'card_number',
  'claim_hash',
  'stretching',
  'wrapped_key',
  'envelope',
  'released_counted',
  'opened_at',
  'reminders',
  'unopened_since',
] as const satisfies (keyof ScrollRecipientsTable)[];

type RecipientValues = Partial<Pick<Insertable<ScrollRecipientsTable>, (typeof RECIPIENT_COLUMNS)[number]>>;
export type ScrollValues = Partial<Insertable<LegacyScrollsTable>> & RecipientValues;

/** A recipient of a released scroll has it since then. */
export function splitScroll(values: ScrollValues): {
  scroll: Partial<Insertable<LegacyScrollsTable>>;
  recipient: Partial<Insertable<ScrollRecipientsTable>>;
} {
  const names: readonly string[] = RECIPIENT_COLUMNS;
  const part = (wanted: boolean) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name) === wanted));
  const released =
    values.state === 'released' ? { released_at: values.released_at ?? 0, released_counted: 0 } : {};
  return { scroll: part(false), recipient: { ...released, ...part(true) } };
}

type Of = Pick<TestInstance, 'deps'>;
interface Scroll {
  id: number;
}

export const scrollRow = ({ deps: { db } }: Of, { id }: Scroll) =>
  db.selectFrom('legacy_scrolls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Of a scroll with one recipient. */
export const recipientRow = ({ deps: { db } }: Of, { id }: Scroll) =>
  db.selectFrom('scroll_recipients').selectAll().where('scroll_id', '=', id).executeTakeFirstOrThrow();

/** In the order in which they were written. */
export const messageRows = ({ deps: { db } }: Of, { id }: Scroll) =>
  db
    .selectFrom('messages')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('scroll_id', '=', id),
        eb('id', 'in', eb.selectFrom('warned_scrolls').select('message_id').where('scroll_id', '=', id)),
      ]),
    )
    .orderBy('id')
    .execute();
