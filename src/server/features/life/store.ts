// Proof of life by whoever is signed in, and the one address that warnings go to.
import type { WarningAddress } from '../../../shared/switch.ts';
import { holdAccount } from '../../db/hold.ts';
import type { Database } from '../../db/open.ts';
import { iso, isoOrNull } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { type Allowance, countAttempt } from '../../http/rate-limit.ts';
import { houseTime } from '../../switch/house-clock-store.ts';
import { proveLife } from '../../switch/life-store.ts';
import { writeMessage } from '../../switch/message-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'rules' | 'digests'>;

/** Each goes to an address that nobody has proved yet. */
const ASKED_BY_MAIL: Allowance = { attempts: 5, window: 60 * 60 * 1000 };

/** Returns when it was. */
export async function giveProofOfLife(deps: Store, accountId: number): Promise<string> {
  await deps.db.transaction().execute((tx) => proveLife(deps, tx, accountId, 'person'));
  return iso(deps.now());
}

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
    ])
    .where('warning_addresses.account_id', '=', accountId)
    .executeTakeFirst();
  return {
    address: row?.address ?? row?.asked_address ?? null,
    provedAt: isoOrNull(row?.proved_at ?? null),
    request: row?.state ? { state: row.state, why: row.why } : null,
  };
}

/**
 * Asks an address for a press; the one that was proved before stays in use until then. To be asked for the address
 * that is in use takes an earlier question back.
 * @throws AppError `too-many`
 */
export function askWarningAddress(deps: Store, accountId: number, address: string): Promise<WarningAddress> {
  return deps.db.transaction().execute(async (tx) => {
    await holdAccount(tx, accountId);
    await cancelQuestion(tx, accountId);
    const inUse = await tx
      .updateTable('warning_addresses')
      .set({ asked_address: null, asked_message: null })
      .where('account_id', '=', accountId)
      .where('address', '=', address)
      .returning('account_id')
      .executeTakeFirst();
    if (!inUse) await ask({ ...deps, db: tx }, accountId, address);
    return readWarningAddress(tx, accountId);
  });
}

async function ask(deps: Store, accountId: number, address: string): Promise<void> {
  const { db: tx } = deps;
  await countAttempt(deps, `asked by mail ${accountId}`, ASKED_BY_MAIL);
  const message = await writeMessage(
    tx,
    {
      kind: 'prove-address',
      channel: 'email',
      address,
      account_id: accountId,
      scroll_id: null,
      scroll_public_id: null,
    },
    { time: deps.now(), houseTime: await houseTime(tx) },
  );
  const asked = { asked_address: address, asked_message: message };
  await tx
    .insertInto('warning_addresses')
    .values({ account_id: accountId, address: null, proved_at: null, ...asked })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(asked))
    .execute();
}

/** A question that has not left never does. One that has leads to a page that says it is over. */
async function cancelQuestion(tx: Database, accountId: number): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'prove-address')
    .where('state', 'in', ['waiting', 'failed'])
    .execute();
}

/**
 * Forgets the address. Scrolls that were to be warned by mail go on with the dashboard alone. Whoever does it lives: one
 * that was held for want of a warning would be released at once.
 */
export async function removeWarningAddress(
  deps: Pick<Store, 'db' | 'now' | 'rules'>,
  accountId: number,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await holdAccount(tx, accountId);
    await proveLife(deps, tx, accountId, 'person');
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
