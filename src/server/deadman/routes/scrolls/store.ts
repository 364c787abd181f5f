// Writing scrolls. What belongs to one account is written one thing after the other, and only a release can come in
// between: every statement says which state it has seen.
import { sql } from 'kysely';
import {
  SCROLLS_MAX,
  type Scroll,
  type ScrollInput,
  type ScrollPatch,
} from '../../../../shared/nouns/legacy.ts';
import { isAnotherKey, sealedUnderTheKey, standsUnderItsKey } from '../../../db/key-guard.ts';
import { lockAccount } from '../../../db/locks.ts';
import type { Database } from '../../../db/open.ts';
import { transact } from '../../../db/transact.ts';
import { AppError } from '../../../errors.ts';
import { unwarn } from '../../delivery/warned-scrolls-store.ts';
import { lockLastActivity } from '../../watch/last-activity-store.ts';
import {
  type AskedRecipient,
  accessColumns,
  askedColumns,
  placeOf,
  readRecipients,
} from './recipient-form.ts';
import {
  addRecipient,
  type RecipientChanges,
  type RecipientRow,
  readChanges,
  recipientsOf,
  writeRecipients,
} from './recipient-rows-store.ts';
import { readRow, type ScrollRow, type Store, showScroll } from './rows-store.ts';
import { readTrigger, refuseBegunDay, refuseKeyless, sameTrigger } from './scroll-form.ts';

/** The columns of a scroll that does not watch. */
export const DORMANT = {
  state: 'dormant',
  period: null,
  due_at: null,
  watching_since: null,
  armed_at: null,
  label: null,
  rehearse_at: null,
  warning: null,
  warning_step: 0,
  warning_accepted: null,
  contact_told_at: null,
  next_check_at: 0,
  releasable_at: null,
} as const;

/**
 * Keeps a scroll, dormant. Sending the same seal with the same fields again, as after a lost answer, keeps it once.
 * @throws AppError `invalid-input` with a sentence
 */
export async function createScroll(
  deps: Store,
  accountId: number,
  input: ScrollInput,
): Promise<Scroll | 'seal-reused' | 'key-changed'> {
  const time = deps.now();
  const trigger = readTrigger(input, input.timeZone ?? 'UTC');
  const recipients = readRecipients(input);
  const values = {
    title: input.title,
    encrypted_content: input.encryptedContent,
    encrypted_scroll_key: input.encryptedScrollKey ?? null,
    author_name: input.authorName ?? null,
    ...trigger,
    seal_id: input.sealId ?? null,
    key_fingerprint: input.keyFingerprint ?? null,
  };
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    const kept = await findSealed(tx, accountId, values.seal_id);
    const show = (row: ScrollRow) => showScroll({ ...deps, db: tx }, accountId, row);
    if (kept) {
      const isTheSame = isSameRow(kept, values) && areSame(await recipientsOf(tx, [kept.id]), recipients);
      return isTheSame ? show(kept) : 'seal-reused';
    }
    if (await isAnotherKey(tx, accountId, values.key_fingerprint)) return 'key-changed';
    refuseBegunDay(trigger, time);
    await refuseTooMany(tx, accountId);
    const row = await tx
      .insertInto('legacy_scrolls')
      .values({
        ...values,
        account_id: accountId,
        period: null,
        due_at: null,
        watching_since: null,
        warning: null,
        warning_accepted: null,
        releasable_at: null,
        handed_over_at: null,
        released_at: null,
        kept_until: null,
        author_hash: null,
        created_at: time,
        updated_at: time,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    for (const [i, recipient] of recipients.entries()) {
      await addRecipient(tx, row, recipient, i, placeOf(input, i, 'recipientAddress'));
    }
    return show(row);
  });
}

async function findSealed(
  tx: Database,
  accountId: number,
  sealId: string | null,
): Promise<ScrollRow | undefined> {
  if (sealId === null) return undefined;
  return tx
    .selectFrom('legacy_scrolls')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('seal_id', '=', sealId)
    .executeTakeFirst();
}

function isSameRow<Row extends object>(row: Row, values: Partial<Row>): boolean {
  return Object.entries(values).every(([column, value]) => row[column as keyof Row] === value);
}

const areSame = (kept: readonly RecipientRow[], asked: readonly AskedRecipient[]): boolean =>
  kept.length === asked.length &&
  asked.every((one, i) => {
    const row = kept[i];
    const number = one.publicId === null ? {} : { public_id: one.publicId };
    return (
      row !== undefined &&
      isSameRow(row, { ...askedColumns(one, i), ...accessColumns(one.access), ...number })
    );
  });

async function refuseTooMany(tx: Database, accountId: number): Promise<void> {
  const { count } = await tx
    .selectFrom('legacy_scrolls')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= SCROLLS_MAX) {
    throw new AppError('invalid-input', `A vault keeps ${SCROLLS_MAX} letters at most. Delete one first.`);
  }
}

export type UpdateRefusal =
  | 'not-found'
  | 'proof-needed'
  | 'scroll-released'
  | 'stale-version'
  | 'key-changed'
  | 'disarm-first';

/**
 * Writes a scroll anew as its author's form has it. A new card or passphrase stops the watch; so to change one that
 * watches takes a fresh proof, as disarming does.
 * @throws AppError `invalid-input` with a sentence
 */
export function updateScroll(
  deps: Store,
  accountId: number,
  { id, fresh }: { id: number; fresh: boolean },
  patch: ScrollPatch,
): Promise<Scroll | UpdateRefusal> {
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    // Messages are written and cancelled by whoever holds the life; see deadman/delivery/delivery-store.ts.
    await lockLastActivity(tx, accountId);
    const row = await readRow(tx, accountId, id);
    if (!row) return 'not-found';
    if (row.state === 'watching' && !fresh) return 'proof-needed';
    const refusal = await whyNot(tx, accountId, row, patch);
    if (refusal) return refusal;
    const recipients = readChanges(await recipientsOf(tx, [id]), row, patch);
    const change = readChange(row, patch, recipients, deps.now());
    if (row.state === 'watching' && change.moves) return 'disarm-first';
    const fingerprint = patch.keyFingerprint ?? null;
    const written = await tx
      .updateTable('legacy_scrolls')
      .set({
        ...change.values,
        version: sql`version + 1`,
        updated_at: deps.now(),
      })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('version', '=', patch.version)
      .where('state', '=', sql.lit(row.state))
      .where(sealedUnderTheKey(tx, sql.val(accountId), sql.val(fingerprint)))
      .where(standsUnderItsKey('legacy_scrolls', fingerprint))
      .returningAll()
      .executeTakeFirst();
    // The account is held: nobody but the switch has written since.
    if (!written) return 'scroll-released';
    await writeRecipients(tx, written, recipients);
    if (row.state === 'watching' && written.state === 'dormant') {
      await unwarn(tx, id);
    }
    return showScroll({ ...deps, db: tx }, accountId, written);
  });
}

async function whyNot(
  tx: Database,
  accountId: number,
  row: ScrollRow,
  { version, keyFingerprint }: ScrollPatch,
): Promise<UpdateRefusal | null> {
  if (row.state === 'released') return 'scroll-released';
  if (await isAnotherKey(tx, accountId, keyFingerprint)) return 'key-changed';
  if (row.version !== version) return 'stale-version';
  // Whoever names no key changes no row that names one.
  return row.key_fingerprint !== null && !keyFingerprint ? 'key-changed' : null;
}

/** What a form changes of a row. @throws AppError `invalid-input` with a sentence */
function readChange(row: ScrollRow, patch: ScrollPatch, recipients: RecipientChanges, time: number) {
  const trigger = readTrigger(patch, patch.timeZone ?? row.time_zone);
  const sameTime = sameTrigger(row, trigger);
  if (!sameTime) refuseBegunDay(trigger, time);
  const sameKey = (patch.keyFingerprint ?? null) === row.key_fingerprint;
  if (row.encrypted_scroll_key !== null && !patch.encryptedScrollKey && !sameKey) refuseKeyless();
  return {
    moves: !sameTime || recipients.move,
    values: {
      title: patch.title,
      encrypted_content: patch.encryptedContent,
      encrypted_scroll_key: patch.encryptedScrollKey ?? row.encrypted_scroll_key,
      key_fingerprint: patch.keyFingerprint ?? null,
      author_name: patch.authorName === undefined ? row.author_name : patch.authorName,
      ...trigger,
      ...(recipients.newKeys ? DORMANT : {}),
      ...(recipients.newKeys || recipients.newPeople ? { handed_over_at: null } : {}),
    },
  };
}
