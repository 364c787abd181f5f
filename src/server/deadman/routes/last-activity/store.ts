// Proof of life by whoever is signed in, and the one address that warnings go to.

import type { WarningAddress } from '../../../../shared/nouns/switch.ts';
import { DAY, HOUR } from '../../../../shared/time.ts';
import { lockAccount, lockScrolls } from '../../../db/locks.ts';
import type { Database } from '../../../db/open.ts';
import { iso, isoOrNull } from '../../../db/times.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';
import { AppError, accountGone } from '../../../errors.ts';
import { type Allowance, countAttempt } from '../../../http/rate-limit.ts';
import type { Caller } from '../../../http/session.ts';
import { countedTime } from '../../clock/counted-time-store.ts';
import { cancelMessages, writeMessage } from '../../delivery/message-store.ts';
import { lockLastActivity, recordActivity } from '../../watch/last-activity-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'rules' | 'digests'>;

/** Each goes to an address that nobody has proved yet. */
const ASKED_BY_MAIL: Allowance = { attempts: 5, window: DAY };
/** An account that is younger than this asks one address a day: making accounts costs nothing. */
const NEW_ACCOUNT = 3 * DAY;
const ASKED_BY_NEW: Allowance = { attempts: 1, window: DAY };

/** Returns when it was. */
export async function giveProofOfLife(deps: Store, accountId: number): Promise<string> {
  await transact(deps.db, (tx) => recordActivity(deps, tx, accountId, 'person'));
  return iso(deps.now());
}

/** Whichever limit it is: that others have asked the same address is nobody's business. */
const IN_LINE = 'This server sends only so many messages a day. This one leaves when its turn comes.';

/** The address in use; before any was proved, the one that was asked. */
export async function readWarningAddress(db: Database, accountId: number): Promise<WarningAddress> {
  const row = await db
    .selectFrom('warning_addresses')
    .leftJoin('messages', 'messages.public_id', 'warning_addresses.asked_message')
    .select([
      'warning_addresses.address',
      'warning_addresses.asked_address',
      'warning_addresses.proved_at',
      'messages.state',
      'messages.why',
      'messages.withheld',
    ])
    .where('warning_addresses.account_id', '=', accountId)
    .executeTakeFirst();
  return {
    address: row?.address ?? row?.asked_address ?? null,
    provedAt: isoOrNull(row?.proved_at ?? null),
    request: row?.state ? { state: row.state, why: row.withheld ? IN_LINE : row.why } : null,
  };
}

/** Who asks: what the caller's session says of them. */
export type Asker = Pick<Caller, 'accountId' | 'isAdmin'>;

/**
 * Asks an address for a press; the one that was proved before stays in use until then. To be asked for the address
 * that is in use takes an earlier question back. The same address is not asked twice within a day. Nothing in the answer
 * depends on what others have asked.
 * @throws AppError `too-many`
 */
export function askWarningAddress(deps: Store, asker: Asker, address: string): Promise<WarningAddress> {
  const { accountId } = asker;
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    if (await isAskedAlready({ ...deps, db: tx }, accountId, address))
      return readWarningAddress(tx, accountId);
    await cancelQuestion(tx, accountId);
    const inUse = await tx
      .updateTable('warning_addresses')
      .set({ asked_address: null, asked_message: null })
      .where('account_id', '=', accountId)
      .where('address', '=', address)
      .returning('account_id')
      .executeTakeFirst();
    if (!inUse) await ask({ ...deps, db: tx }, asker, address);
    return readWarningAddress(tx, accountId);
  });
}

/** Whether a mail to this address was asked for within the last day, and has not failed. */
async function isAskedAlready({ db, now }: Store, accountId: number, address: string): Promise<boolean> {
  const asked = await db
    .selectFrom('warning_addresses')
    .innerJoin('messages', 'messages.public_id', 'warning_addresses.asked_message')
    .select('messages.id')
    .where('warning_addresses.account_id', '=', accountId)
    .where('warning_addresses.asked_address', '=', address)
    .where('messages.state', 'in', ['waiting', 'sent'])
    .where('messages.created_at', '>', now() - DAY)
    // One that was written later was written while the calendar was ahead.
    .where('messages.created_at', '<', now() + HOUR)
    .executeTakeFirst();
  return asked !== undefined;
}

async function ask(deps: Store, asker: Asker, address: string): Promise<void> {
  const { db: tx } = deps;
  const { accountId } = asker;
  const time = deps.now();
  const { created_at } = await tx
    .selectFrom('accounts')
    .select('created_at')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow(accountGone);
  await countQuestion(deps, asker, time - created_at);
  const counted = await countedTime(tx);
  const message = await writeMessage(
    tx,
    {
      kind: 'prove-address',
      channel: 'email',
      address,
      account_id: accountId,
      scroll_id: null,
      scroll_public_id: null,
      // Accounts that were made to crowd others out of an address are younger than they are.
      in_line_since: counted - Math.max(0, time - created_at),
    },
    { time, countedTime: counted },
  );
  const asked = { asked_address: address, asked_message: message };
  await tx
    .insertInto('warning_addresses')
    .values({ account_id: accountId, address: null, proved_at: null, ...asked })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(asked))
    .execute();
}

/** @throws AppError `too-many` with a sentence */
async function countQuestion(deps: Store, { accountId, isAdmin }: Asker, age: number): Promise<void> {
  const isNew = age < NEW_ACCOUNT && !isAdmin;
  const allowance = isNew ? ASKED_BY_NEW : ASKED_BY_MAIL;
  try {
    await countAttempt(deps, `asked by mail ${accountId}`, allowance);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(
      error.code,
      isNew
        ? 'A new account can have one address asked each day. Try another address tomorrow.'
        : 'Confirmation links were sent to five addresses today. Try another one tomorrow.',
      error.retryAfter,
    );
  }
}

/** A question that has not left never does. One that has leads to a page that says it is over. */
const cancelQuestion = (tx: Database, accountId: number): Promise<void> =>
  cancelMessages(tx, { accountId, kind: 'prove-address' }, ['waiting', 'failed']);

/**
 * Forgets the address. Scrolls that were to be warned by mail go on with the dashboard alone. Whoever does it lives: one
 * that was held for want of a warning would be released at once.
 */
export async function removeWarningAddress(
  deps: Pick<Store, 'db' | 'now' | 'rules'>,
  accountId: number,
): Promise<void> {
  await transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    await lockLastActivity(tx, accountId);
    await lockScrolls(tx, (eb) => eb('account_id', '=', accountId));
    await recordActivity(deps, tx, accountId, 'person');
    await tx.deleteFrom('warning_addresses').where('account_id', '=', accountId).execute();
    await tx
      .updateTable('legacy_scrolls')
      .set({ warning: 'dashboard' })
      .where('account_id', '=', accountId)
      .where('state', '=', 'watching')
      .where('warning', '=', 'mail')
      .execute();
    await cancelQuestion(tx, accountId);
    await tx
      .updateTable('messages')
      .set({ state: 'cancelled' })
      .where('account_id', '=', accountId)
      .where('kind', '=', 'warning')
      .where('state', 'in', ['waiting', 'failed'])
      .execute();
  });
}
