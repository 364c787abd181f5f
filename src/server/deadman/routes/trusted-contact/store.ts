// Whom an author has named as their trusted contact. Naming, changing and removing them is a sign of activity: whatever was
// postponed, and every link before, ends with it.
import { CONTACT_DECLINED, type TrustedContact } from '../../../../shared/nouns/trusted-contact.ts';
import { DAY } from '../../../../shared/time.ts';
import { lockAccount, lockScrolls } from '../../../db/locks.ts';
import type { Database } from '../../../db/open.ts';
import { iso, isoOrNull } from '../../../db/times.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { type Allowance, countAttempt } from '../../../http/rate-limit.ts';
import { countedTime } from '../../clock/counted-time-store.ts';
import { newMessageId } from '../../delivery/message-store.ts';
import { provedAddresses } from '../../delivery/proved-addresses-store.ts';
import { mailboxOf } from '../../delivery/send-limits.ts';
import { lockLastActivity, recordActivity } from '../../watch/last-activity-store.ts';
import { eraseContactMessages } from './decline-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'rules'>;

/** Each may be somebody who knows nothing of it, and is written to when a letter is near its release. */
const NAMED: Allowance = { attempts: 5, window: DAY };

/** Null for nobody. */
export async function readContact(db: Database, accountId: number): Promise<TrustedContact | null> {
  const row = await db
    .selectFrom('trusted_contacts')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  const declined = row.declined_at;
  const told = await db
    .selectFrom('messages')
    .select(['created_at', 'state', 'why'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'contact-warning')
    .where('address', '=', row.address)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    name: row.name,
    address: row.address,
    authorName: row.author_name,
    namedAt: iso(row.named_at),
    postponedAt: isoOrNull(row.last_postponed_at),
    postponedFor: Math.max(0, row.postponed_until - (await countedTime(db))),
    told:
      declined !== null
        ? { at: iso(declined), state: 'failed', why: CONTACT_DECLINED }
        : told
          ? { at: iso(told.created_at), state: told.state, why: told.why }
          : null,
  };
}

export interface Named {
  name: string;
  /** As `normaliseAddress` has it. */
  address: string;
  authorName: string | null;
}

/**
 * Names a contact, or another one in their place.
 * @throws AppError `invalid-input` for the author's own mailbox, `too-many`
 */
export function nameContact(
  deps: Store & Pick<Deps, 'digests'>,
  accountId: number,
  { name, address, authorName }: Named,
): Promise<TrustedContact | null> {
  return transact(deps.db, async (tx) => {
    await beActive(deps, tx, accountId);
    if (await isTheirOwn(tx, accountId, address))
      throw new AppError('invalid-input', 'Your own warnings go there. Name somebody else.');
    await countAttempt(
      { ...deps, db: tx },
      `named contact ${accountId}`,
      NAMED,
      'You have named five contacts today. Name another one tomorrow.',
    );
    const before = await tx
      .selectFrom('trusted_contacts')
      .select(['address', 'declined_at'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (
      before &&
      before.declined_at !== null &&
      mailboxOf('email', before.address) === mailboxOf('email', address)
    )
      throw new AppError('invalid-input', 'They do not want to be your trusted contact. Name somebody else.');
    const named = { name, address, author_name: authorName, named_at: deps.now() };
    await tx
      .deleteFrom('trusted_contacts')
      .where('account_id', '=', accountId)
      .where('address', '!=', address)
      .execute();
    await eraseContactMessages(tx, accountId, address);
    await tx
      .insertInto('trusted_contacts')
      .values({
        ...{ account_id: accountId, ...named },
        ...{ link_number: null, link_hash: null, postponed_at: null, last_postponed_at: null },
        decline_number: newMessageId(),
      })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(named))
      .execute();
    return readContact(tx, accountId);
  });
}

/** A mailbox in which warnings were not answered would be asked once more. */
async function isTheirOwn(tx: Database, accountId: number, address: string): Promise<boolean> {
  const own = await provedAddresses(tx, accountId);
  return own.some(
    ({ channel, address: proved }) =>
      channel === 'email' && mailboxOf('email', proved) === mailboxOf('email', address),
  );
}

export async function removeContact(deps: Store, accountId: number): Promise<void> {
  await transact(deps.db, async (tx) => {
    await beActive(deps, tx, accountId);
    await tx.deleteFrom('trusted_contacts').where('account_id', '=', accountId).execute();
    await eraseContactMessages(tx, accountId);
  });
}

/** What the contact was to be told is cancelled with the silence; what failed is not tried again either. */
async function beActive(deps: Store, tx: Database, accountId: number): Promise<void> {
  await lockAccount(tx, accountId);
  await lockLastActivity(tx, accountId);
  await lockScrolls(tx, (eb) => eb('account_id', '=', accountId));
  await recordActivity(deps, tx, accountId, 'person');
  await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'contact-warning')
    .where('state', 'in', ['waiting', 'failed'])
    .execute();
}
