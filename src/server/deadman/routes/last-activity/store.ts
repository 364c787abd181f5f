// Proof of life by whoever is signed in, and the addresses that warnings go to: the first one, and a second one.

import { sql } from 'kysely';
import type {
  SecondWarning,
  WarningAddress,
  WarningChannel,
  WarningPlace,
} from '../../../../shared/nouns/switch.ts';
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
import { writeMessage } from '../../delivery/message-store.ts';
import { mailboxOf } from '../../delivery/send-limits.ts';
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

/** Who asks: what the caller's session says of them. */
export type Asker = Pick<Caller, 'accountId' | 'isAdmin'>;

interface Asked {
  place: WarningPlace;
  channel: WarningChannel;
  /** As `normaliseAddress` has it. */
  address: string;
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

/** The account is held. */
async function askAddress(deps: Store, asker: Asker, asked: Asked): Promise<void> {
  const { db: tx } = deps;
  const { accountId } = asker;
  if (await isTheOther(tx, accountId, asked))
    throw new AppError('invalid-input', 'Warnings go there already. Enter another address.');
  if (await isAskedAlready(deps, accountId, asked)) return;
  await cancelQuestion(tx, accountId, asked.place);
  const inUse = await tx
    .updateTable('warning_addresses')
    .set({ asked_address: null, asked_message: null })
    .where('account_id', '=', accountId)
    .where('place', '=', asked.place)
    .where('channel', '=', asked.channel)
    .where('address', '=', asked.address)
    .returning('account_id')
    .executeTakeFirst();
  if (!inUse) await ask(deps, asker, asked);
}

/** Whether an address is in use, or asked, at the account's other place. */
async function isTheOther(
  tx: Database,
  accountId: number,
  { place, channel, address }: Asked,
): Promise<boolean> {
  const other = await tx
    .selectFrom('warning_addresses')
    .select(['channel', 'address', 'asked_channel', 'asked_address'])
    .where('account_id', '=', accountId)
    .where('place', '!=', place)
    .executeTakeFirst();
  const isSame = (by: WarningChannel | undefined, at: string | null | undefined) =>
    by === channel && at != null && mailboxOf(channel, at) === mailboxOf(channel, address);
  return isSame(other?.channel, other?.address) || isSame(other?.asked_channel, other?.asked_address);
}

/** Whether a message to this address was asked for within the last day, and has not failed. */
async function isAskedAlready(
  { db, now }: Store,
  accountId: number,
  { place, channel, address }: Asked,
): Promise<boolean> {
  const asked = await db
    .selectFrom('warning_addresses')
    .innerJoin('messages', 'messages.public_id', 'warning_addresses.asked_message')
    .select('messages.id')
    .where('warning_addresses.account_id', '=', accountId)
    .where('warning_addresses.place', '=', place)
    .where('warning_addresses.asked_channel', '=', channel)
    .where('warning_addresses.asked_address', '=', address)
    .where('messages.state', 'in', ['waiting', 'sent'])
    .where('messages.created_at', '>', now() - DAY)
    // One that was written later was written while the calendar was ahead.
    .where('messages.created_at', '<', now() + HOUR)
    .executeTakeFirst();
  return asked !== undefined;
}

async function ask(deps: Store, asker: Asker, { place, channel, address }: Asked): Promise<void> {
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
      channel,
      address,
      account_id: accountId,
      scroll_id: null,
      scroll_public_id: null,
      // Accounts that were made to crowd others out of an address are younger than they are.
      in_line_since: counted - Math.max(0, time - created_at),
    },
    { time, countedTime: counted },
  );
  const asked = { asked_channel: channel, asked_address: address, asked_message: message };
  await tx
    .insertInto('warning_addresses')
    .values({ account_id: accountId, place, address: null, proved_at: null, ...asked })
    .onConflict((conflict) => conflict.columns(['account_id', 'place']).doUpdateSet(asked))
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
async function cancelQuestion(tx: Database, accountId: number, place?: WarningPlace): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('state', 'in', ['waiting', 'failed'])
    .where('public_id', 'in', (eb) => {
      const asked = eb
        .selectFrom('warning_addresses')
        .select((q) => q.ref('asked_message').$notNull().as('asked'))
        .where('account_id', '=', accountId)
        .where('asked_message', 'is not', null);
      return place === undefined ? asked : asked.where('place', '=', place);
    })
    .execute();
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
    .where('kind', 'in', ['warning', 'after-release', 'postponed'])
    .where('state', 'in', ['waiting', 'failed']);
  await (address === undefined ? all : all.where('address', '=', address)).execute();
}
