// Passkeys in the database: public keys, counters and labels.
import { PASSKEYS_MAX } from '../../../shared/http/ceremony.ts';
import type { Passkey } from '../../../shared/nouns/ways-to-sign-in.ts';
import { createAccount, type NewAccount } from '../../accounts/account-store.ts';
import { deleteWraps } from '../../accounts/wrap-store.ts';
import { lockAccount } from '../../db/locks.ts';
import { type Database, isUniqueViolation } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { logActivity } from '../../http/activity-store.ts';
import type { Caller } from '../../http/session.ts';
import { anotherWayIn } from './way-in-store.ts';

type Store = Pick<Deps, 'db' | 'now'>;

const iso = (time: number) => new Date(time).toISOString();
const isoOrNull = (time: number | null) => (time === null ? null : iso(time));

export interface NewPasskey {
  id: string;
  publicKey: string;
  counter: number;
  transports: string[];
  label: string;
}

/**
 * Creates an account and its first passkey together, in the transaction of `inside`.
 * @throws a unique violation when the passkey is already known
 */
export async function createAccountWithPasskey(
  inside: Store,
  account: NewAccount,
  passkey: NewPasskey,
): Promise<number | null> {
  const accountId = await createAccount(inside, account);
  if (accountId !== null) await insertPasskey(inside, accountId, passkey);
  return accountId;
}

function insertPasskey({ db, now }: Store, accountId: number, passkey: NewPasskey) {
  return db
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      account_id: accountId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      label: passkey.label,
      created_at: now(),
      last_used_at: null,
    })
    .execute();
}

/** Adds a passkey to an account, unless it has as many as it may, or this one is already known, here or elsewhere. */
export async function addPasskey(
  deps: Store & Pick<Deps, 'log'>,
  { accountId, device }: Caller,
  passkey: NewPasskey,
): Promise<'added' | 'passkeys-full' | 'passkey-known'> {
  try {
    return await transact(deps.db, async (tx) => {
      // Two that are added at once count each other.
      await lockAccount(tx, accountId);
      if ((await passkeyIds(tx, accountId)).length >= PASSKEYS_MAX) return 'passkeys-full';
      await insertPasskey({ ...deps, db: tx }, accountId, passkey);
      await logActivity(deps, tx, accountId, { kind: 'passkey-added', device });
      return 'added';
    });
  } catch (error) {
    if (isUniqueViolation(error)) return 'passkey-known';
    throw error;
  }
}

/** The numbers of an account's passkeys. */
export async function passkeyIds(db: Database, accountId: number): Promise<string[]> {
  const rows = await db.selectFrom('passkeys').select('id').where('account_id', '=', accountId).execute();
  return rows.map(({ id }) => id);
}

export function findPasskey({ db }: Store, id: string) {
  return db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Notes a passkey's use. Its counter only advances, also between two uses at once; authenticators that do not count
 * stay at zero.
 * @returns false when the counter was used before, as by a copy of the authenticator
 */
export async function notePasskeyUse({ db, now }: Store, id: string, counter: number): Promise<boolean> {
  const row = await db
    .updateTable('passkeys')
    .set({ last_used_at: now(), counter })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('counter', '<', counter), eb.and({ counter: 0 }).and(eb.lit(counter === 0))]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function listPasskeys({ db }: Store, accountId: number): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .leftJoin('vault_keys', 'vault_keys.account_id', 'passkeys.account_id')
    .leftJoin('wraps', (join) =>
      join
        .onRef('wraps.account_id', '=', 'passkeys.account_id')
        .on('wraps.method', '=', 'passkey')
        .onRef('wraps.reference', '=', 'passkeys.id')
        .onRef('wraps.fingerprint', '=', 'vault_keys.fingerprint'),
    )
    .select([
      'passkeys.id',
      'passkeys.label',
      'passkeys.created_at',
      'passkeys.last_used_at',
      'wraps.id as wrap_id',
    ])
    .where('passkeys.account_id', '=', accountId)
    .orderBy('passkeys.created_at', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    opensVault: row.wrap_id !== null,
    createdAt: iso(row.created_at),
    lastUsedAt: isoOrNull(row.last_used_at),
  }));
}

/** Removes a passkey and its wrap, unless nothing else would sign this account in. */
export async function removePasskey(
  deps: Store & Pick<Deps, 'log'>,
  { accountId, device }: Caller,
  id: string,
): Promise<'removed' | 'last-way-in' | 'not-found'> {
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    const removed = await tx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where(anotherWayIn(tx, accountId, { passkey: id }))
      .returning('id')
      .executeTakeFirst();
    if (!removed) {
      const mine = await tx
        .selectFrom('passkeys')
        .select('id')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return mine ? 'last-way-in' : 'not-found';
    }
    await deleteWraps(tx, accountId, 'passkey', id);
    await logActivity(deps, tx, accountId, { kind: 'passkey-removed', device });
    return 'removed';
  });
}
