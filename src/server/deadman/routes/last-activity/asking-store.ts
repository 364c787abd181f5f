// Asks an address for the press that proves it, at most so many times a day.
import type { WarningChannel, WarningPlace } from '../../../../shared/nouns/warning-addresses.ts';
import { DAY, HOUR } from '../../../../shared/time.ts';
import type { Database } from '../../../db/open.ts';
import type { Deps } from '../../../deps.ts';
import { AppError, accountGone } from '../../../errors.ts';
import { type Allowance, countAttempt } from '../../../http/rate-limit.ts';
import type { Caller } from '../../../http/session.ts';
import { countedTime } from '../../clock/counted-time-store.ts';
import { writeMessage } from '../../delivery/message-store.ts';
import { mailboxOf } from '../../delivery/send-limits.ts';

export type Store = Pick<Deps, 'db' | 'now' | 'rules' | 'digests'>;

/** Each goes to an address that nobody has proved yet. */
const ASKED_BY_MAIL: Allowance = { attempts: 5, window: DAY };
/** An account that is younger than this asks one address a day: making accounts costs nothing. */
const NEW_ACCOUNT = 3 * DAY;
const ASKED_BY_NEW: Allowance = { attempts: 1, window: DAY };

/** Who asks: what the caller's session says of them. */
export type Asker = Pick<Caller, 'accountId' | 'isAdmin'>;

export interface Asked {
  place: WarningPlace;
  channel: WarningChannel;
  /** As `normaliseAddress` has it. */
  address: string;
}

/** The account is held. */
export async function askAddress(deps: Store, asker: Asker, asked: Asked): Promise<void> {
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
export async function cancelQuestion(tx: Database, accountId: number, place?: WarningPlace): Promise<void> {
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
