// The recipients of scrolls: written with their scroll, and what a changed form does to each.
import type { Selectable } from 'kysely';
import type { ScrollPatch } from '../../../../shared/nouns/legacy.ts';
import type { Database } from '../../../db/open.ts';
import type { LegacyScrollsTable, ScrollRecipientsTable } from '../../../db/schema/deadman.ts';
import { cancelMessages } from '../../delivery/message-store.ts';
import {
  type AskedRecipient,
  accessColumns,
  askedColumns,
  isSingle,
  newRecipient,
  placeOf,
  readRecipients,
  refuseTakenNumber,
  refuseUnfitAccess,
  refuseUnknownVault,
  refuseUnsigned,
} from './recipient-form.ts';
import { wrong } from './scroll-form.ts';

export type RecipientRow = Selectable<ScrollRecipientsTable>;
type ScrollRow = Selectable<LegacyScrollsTable>;

/** The recipients of some scrolls, each scroll's in the order of its form. */
export function recipientsOf(db: Database, scrollIds: readonly number[]): Promise<RecipientRow[]> {
  return db
    .selectFrom('scroll_recipients')
    .selectAll()
    .where('scroll_id', 'in', scrollIds)
    .orderBy('scroll_id')
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** The account behind a vault address, looked up by the statement that writes it. */
const vaultOf = (db: Database, { recipientType, recipientAddress }: AskedRecipient) =>
  recipientType === 'whisper'
    ? db
        .selectFrom('vault_keys')
        .select('vault_keys.account_id')
        .where('vault_keys.address', '=', recipientAddress)
        .limit(1)
    : null;

async function refuseUnlessKnown(db: Database, asked: AskedRecipient, place: string): Promise<void> {
  if (!(await vaultOf(db, asked)?.executeTakeFirst())) refuseUnknownVault(place);
}

/**
 * Writes a new recipient.
 * @throws AppError `invalid-input` for a vault that is not known, whose key it would need, and for a number that is taken
 */
export async function addRecipient(
  tx: Database,
  { id, account_id }: Pick<ScrollRow, 'id' | 'account_id'>,
  asked: AskedRecipient,
  position: number,
  place: string,
): Promise<void> {
  if (asked.access?.kind === 'vault') await refuseUnlessKnown(tx, asked, place);
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('scroll_recipients')
    .values({
      ...newRecipient(asked, position),
      scroll_id: id,
      account_id,
      recipient_account_id: vaultOf(tx, asked),
    })
    .onConflict((conflict) => conflict.column('public_id').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) refuseTakenNumber(position);
}

/** What a recipient has rehearsed says nothing of another address or another key. */
async function endRehearsal(tx: Database, recipientId: number): Promise<void> {
  await tx.deleteFrom('rehearsals').where('recipient_id', '=', recipientId).execute();
  await cancelMessages(tx, { recipientId, kind: 'rehearsal' }, ['waiting', 'failed']);
}

interface Change {
  asked: AskedRecipient;
  /** Null for one who is new. */
  before: RecipientRow | null;
  samePerson: boolean;
  /** Where a sentence about the address belongs. */
  place: string;
}

export interface RecipientChanges {
  all: Change[];
  removed: number[];
  /** Whether anybody is added or removed, reached at another address, or told at another time. */
  move: boolean;
  /** Whether somebody has another card or another passphrase now. */
  newKeys: boolean;
  /** Whether somebody has the letter who has not had it before. */
  newPeople: boolean;
}

/** What a form changes of a scroll's recipients. @throws AppError `invalid-input` with a sentence */
export function readChanges(
  rows: readonly RecipientRow[],
  { encrypted_content }: Pick<ScrollRow, 'encrypted_content'>,
  patch: ScrollPatch,
): RecipientChanges {
  const asked = readRecipients(patch);
  const [first] = rows;
  if (isSingle(patch)) {
    if (rows.length > 1 || !first)
      throw wrong('recipients', 'This letter has several recipients. Send them all.');
    for (const only of asked) Object.assign(only, { id: first.id });
  }
  const all = asked.map((one, i): Change => {
    const before = one.id === null ? null : (rows.find(({ id }) => id === one.id) ?? null);
    const twice = asked.some((other, k) => k < i && other.id === one.id);
    if (one.id !== null && (before === null || twice)) {
      throw wrong(placeOf(patch, i, 'id'), 'This letter has no such recipient any more.');
    }
    const place = placeOf(patch, i, 'access');
    const samePerson =
      before?.recipient_type === one.recipientType && before.recipient_address === one.recipientAddress;
    refuseUnfitAccess(one.access?.kind ?? before?.access ?? null, one.recipientType, place);
    const signed = samePerson && patch.encryptedContent === encrypted_content;
    if (before?.access === 'vault' && !one.access && !signed) refuseUnsigned(place);
    return { asked: one, before, samePerson, place: placeOf(patch, i, 'recipientAddress') };
  });
  const removed = rows.flatMap(({ id }) => (all.some(({ before }) => before?.id === id) ? [] : [id]));
  const newPeople = all.some(({ samePerson }) => !samePerson);
  return {
    all,
    removed,
    move: newPeople || removed.length > 0 || all.some(({ asked, before }) => asked.tell !== before?.tell),
    newKeys: all.some(({ asked }) => asked.access != null && asked.access.kind !== 'vault'),
    newPeople,
  };
}

/**
 * Writes what a form says of a scroll's recipients.
 * @param tx a transaction that holds the scroll
 * @throws AppError `invalid-input` for a vault that is not known
 */
export async function writeRecipients(
  tx: Database,
  scroll: Pick<ScrollRow, 'id' | 'account_id'>,
  { all, removed }: RecipientChanges,
): Promise<void> {
  for (const id of removed) await endRehearsal(tx, id);
  if (removed.length > 0) {
    await tx
      .deleteFrom('scroll_recipients')
      .where('id', 'in', removed)
      .where('scroll_id', '=', scroll.id)
      .execute();
  }
  for (const [position, { asked, before, samePerson, place }] of all.entries()) {
    if (before === null) {
      await addRecipient(tx, scroll, asked, position, place);
      continue;
    }
    // A vault that has changed its key since is still the one that was written to.
    const reached = samePerson && before.recipient_account_id !== null;
    if (!samePerson || asked.access) await endRehearsal(tx, before.id);
    if (asked.access?.kind === 'vault' && !reached) await refuseUnlessKnown(tx, asked, place);
    await tx
      .updateTable('scroll_recipients')
      .set({
        ...askedColumns(asked, position),
        ...(asked.access ? accessColumns(asked.access) : {}),
        ...(reached ? {} : { recipient_account_id: vaultOf(tx, asked) }),
        // Who has another address now has not been asked yet.
        ...(samePerson ? {} : { rehearsals_stopped_at: null }),
      })
      .where('id', '=', before.id)
      .where('scroll_id', '=', scroll.id)
      .execute();
  }
}
