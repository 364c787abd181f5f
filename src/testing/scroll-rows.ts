// A scroll with one recipient, written as if it were one row: which of its values belong to which table.
import type { Insertable } from 'kysely';
import type { LegacyScrollsTable, ScrollRecipientsTable } from '../server/db/schema/deadman.ts';

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
