// Proof of life by whoever is signed in, and the addresses that warnings go to: the first one, and a second one.

import { sql } from 'kysely';
import type {
  SecondWarning,
  WarningAddress,
  WarningPlace,
} from '../../../../shared/nouns/warning-addresses.ts';
import { lockAccount, lockScrolls } from '../../../db/locks.ts';
import type { Database } from '../../../db/open.ts';
import { iso, isoOrNull } from '../../../db/times.ts';
import { transact } from '../../../db/transact.ts';
import { AppError } from '../../../errors.ts';
import { lockLastActivity, recordActivity } from '../../watch/last-activity-store.ts';
import { type Asked, type Asker, askAddress, cancelQuestion, type Store } from './asking-store.ts';

/** Returns when it was. */
export async function giveProofOfLife(deps: Store, accountId: number): Promise<string> {
  await transact(deps.db, (tx) => recordActivity(deps, tx, accountId, 'person'));
  return iso(deps.now());
}

/** Whichever limit it is: that others have asked the same address is nobody's business. */
const IN_LINE = 'This server sends only so many messages a day. This one leaves when its turn comes.';

/** The address in use; before any was proved, the one that was asked. */
export async function readWarningAddress(db: Database, accountId: number): Promise<WarningAddress> {
  const { channel: _, ...first } = await readAddress(db, accountId, 'first');
  return first;
}

/** The same of the second one. */
export const readSecondWarning = (db: Database, accountId: number): Promise<SecondWarning> =>
  readAddress(db, accountId, 'second');

async function readAddress(db: Database, accountId: number, place: WarningPlace): Promise<SecondWarning> {
  const row = await db
    .selectFrom('warning_addresses')
    .leftJoin('messages', 'messages.public_id', 'warning_addresses.asked_message')
    .select([
      'warning_addresses.channel',
      'warning_addresses.address',
      'warning_addresses.asked_channel',
      'warning_addresses.asked_address',
      'warning_addresses.proved_at',
      'messages.state',
      'messages.why',
      'messages.withheld',
    ])
    .where('warning_addresses.account_id', '=', accountId)
    .where('warning_addresses.place', '=', place)
    .executeTakeFirst();
  const asked = row?.asked_address == null ? null : row.asked_channel;
  // The limits are nobody's business, and the permission is the author's.
  const why = row?.withheld && row.withheld !== 'permission' ? IN_LINE : (row?.why ?? null);
  return {
    channel: row?.address == null ? asked : row.channel,
    address: row?.address ?? row?.asked_address ?? null,
    provedAt: isoOrNull(row?.proved_at ?? null),
    request: row?.state ? { state: row.state, why } : null,
  };
}

/**
 * Asks an address for a press; the one that was proved before stays in use until then. To be asked for the address
 * that is in use takes an earlier question back. The same address is not asked twice within a day. Nothing in the answer
 * depends on what others have asked.
 * @throws AppError `too-many`; `invalid-input` where it is the other one of the account
 */
export function askWarningAddress(deps: Store, asker: Asker, address: string): Promise<WarningAddress> {
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, asker.accountId);
    await askAddress({ ...deps, db: tx }, asker, { place: 'first', channel: 'email', address });
    return readWarningAddress(tx, asker.accountId);
  });
}

/**
 * The same for the second address, a mailbox or a telephone.
 * @throws AppError also `warning-unproved`: there is none without a first one
 */
export function askSecondWarning(
  deps: Store,
  asker: Asker,
  asked: Omit<Asked, 'place'>,
): Promise<SecondWarning> {
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, asker.accountId);
    const first = await readAddress(tx, asker.accountId, 'first');
    if (first.provedAt === null) throw new AppError('warning-unproved');
    await askAddress({ ...deps, db: tx }, asker, { place: 'second', ...asked });
    return readSecondWarning(tx, asker.accountId);
  });
}

/**
 * Forgets the addresses. Scrolls that were to be warned by mail go on with the dashboard alone. Whoever does it lives: one
 * that was held for want of a warning would be released at once.
 */
export async function removeWarningAddress(
  deps: Pick<Store, 'db' | 'now' | 'rules'>,
  accountId: number,
): Promise<void> {
  await transact(deps.db, async (tx) => {
    await lockForRemoval(deps, tx, accountId);
    await cancelQuestion(tx, accountId);
    await tx.deleteFrom('warning_addresses').where('account_id', '=', accountId).execute();
    await tx
      .updateTable('legacy_scrolls')
      .set({ warning: 'dashboard' })
      .where('account_id', '=', accountId)
      .where('state', '=', sql.lit('watching'))
      .where('warning', '=', 'mail')
      .execute();
    await cancelMessagesTo(tx, accountId);
  });
}

/** Forgets the second address. Warnings go on to the first one. */
export async function removeSecondWarning(
  deps: Pick<Store, 'db' | 'now' | 'rules'>,
  accountId: number,
): Promise<void> {
  await transact(deps.db, async (tx) => {
    await lockForRemoval(deps, tx, accountId);
    await cancelQuestion(tx, accountId, 'second');
    const second = await tx
      .deleteFrom('warning_addresses')
      .where('account_id', '=', accountId)
      .where('place', '=', 'second')
      .returning('address')
      .executeTakeFirst();
    if (second?.address != null) await cancelMessagesTo(tx, accountId, second.address);
  });
}

async function lockForRemoval(
  deps: Pick<Store, 'now' | 'rules'>,
  tx: Database,
  accountId: number,
): Promise<void> {
  await lockAccount(tx, accountId);
  await lockLastActivity(tx, accountId);
  await lockScrolls(tx, (eb) => eb('account_id', '=', accountId));
  await recordActivity(deps, tx, accountId, 'person');
}

/** @param address nothing more is sent there; absent: to none of them */
async function cancelMessagesTo(tx: Database, accountId: number, address?: string): Promise<void> {
  const all = tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('account_id', '=', accountId)
    .where('kind', 'in', [
      ...(['warning', 'after-release', 'postponed'] as const),
      ...(['kit-asked', 'kit-stopped', 'kit-opened', 'kit-made', 'kit-removed'] as const),
    ])
    .where('state', 'in', ['waiting', 'failed']);
  await (address === undefined ? all : all.where('address', '=', address)).execute();
}
