// The rows of accounts: how they are made, found and changed. Nothing else writes to their table, but for locks.
import type { Expression, SqlBool } from 'kysely';
import { skeletonOf } from '../adapters/look-alike.ts';
import type { Database } from '../db/open.ts';
import type { Deps } from '../deps.ts';

type Store = Pick<Deps, 'db' | 'now'>;

export interface NewAccount {
  uid: string;
  name?: string;
  authHash?: string;
  passphraseSalt?: string;
  oidcSubject?: string;
  email?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  isAdmin?: boolean;
}

/** A name with what it looks like: both are one account's, by the database's word. */
const named = (name: string | null) => ({ name, name_skeleton: name === null ? null : skeletonOf(name) });

/**
 * Makes an account. Returns its id, or null when the name, one that looks like it, or the provider's subject is already
 * taken.
 */
export async function createAccount({ db, now }: Store, account: NewAccount): Promise<number | null> {
  const row = await db
    .insertInto('accounts')
    .values({
      uid: account.uid,
      ...named(account.name ?? null),
      auth_hash: account.authHash ?? null,
      passphrase_salt: account.passphraseSalt ?? null,
      oidc_subject: account.oidcSubject ?? null,
      email: account.email ?? null,
      first_name: account.firstName ?? null,
      last_name: account.lastName ?? null,
      is_admin: account.isAdmin ? 1 : 0,
      onboarded_at: null,
      words_kept_at: null,
      created_at: now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export function findByName({ db }: Store, name: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'uid', 'auth_hash', 'passphrase_salt'])
    .where('name', '=', name)
    .executeTakeFirst();
}

export function findByUid({ db }: Pick<Store, 'db'>, uid: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'uid', 'auth_hash'])
    .where('uid', '=', uid)
    .executeTakeFirst();
}

/** An account's random number; null where it is gone. */
export async function uidOf({ db }: Pick<Store, 'db'>, accountId: number): Promise<string | null> {
  const row = await db.selectFrom('accounts').select('uid').where('id', '=', accountId).executeTakeFirst();
  return row?.uid ?? null;
}

/** By what its owner knows an account: the sign-in name, or what a sign-in provider told; null where there is neither. */
export async function calledOf({ db }: Pick<Store, 'db'>, accountId: number): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select(['name', 'first_name', 'last_name', 'email'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  const told = [row?.first_name, row?.last_name].filter((part) => part).join(' ');
  return row?.name ?? (told || (row?.email ?? null));
}

/** Finds the account of a provider's subject; what the provider says of the person is refreshed. */
export async function refreshOidcAccount(
  { db }: Pick<Store, 'db'>,
  { oidcSubject, ...profile }: Pick<NewAccount, 'email' | 'firstName' | 'lastName'> & { oidcSubject: string },
): Promise<number | null> {
  const row = await db
    .updateTable('accounts')
    .set({
      email: profile.email ?? null,
      first_name: profile.firstName ?? null,
      last_name: profile.lastName ?? null,
    })
    .where('oidc_subject', '=', oidcSubject)
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function oidcSubjectOf({ db }: Store, accountId: number): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('oidc_subject')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.oidc_subject ?? null;
}

/** @throws where another account has the name, or one that looks like it (`isUniqueViolation`) */
export async function setPassphrase(
  tx: Database,
  accountId: number,
  { name, authHash, salt }: { name: string; authHash: string; salt: string },
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ ...named(name), auth_hash: authHash, passphrase_salt: salt })
    .where('id', '=', accountId)
    .execute();
}

/** Takes name and passphrase from an account. @returns whether the guard let it */
export async function clearPassphrase(
  tx: Database,
  accountId: number,
  guard: Expression<SqlBool>,
): Promise<boolean> {
  const row = await tx
    .updateTable('accounts')
    .set({ ...named(null), auth_hash: null, passphrase_salt: null })
    .where('id', '=', accountId)
    .where(guard)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function makeAdmin(tx: Database, accountId: number): Promise<void> {
  await tx.updateTable('accounts').set({ is_admin: 1 }).where('id', '=', accountId).execute();
}

/** @returns the account's number; null when it is not there */
export async function setTextsPermitted(
  tx: Database,
  uid: string,
  permitted: boolean,
): Promise<number | null> {
  const row = await tx
    .updateTable('accounts')
    .set({ texts_permitted: permitted ? 1 : 0 })
    .where('uid', '=', uid)
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** @param time epoch milliseconds */
export async function markOnboarded(tx: Database, accountId: number, time: number): Promise<void> {
  await tx.updateTable('accounts').set({ onboarded_at: time }).where('id', '=', accountId).execute();
}

/** @param time since when the owner keeps the words of the vault's key; null for nobody knows */
export async function setWordsKept(tx: Database, accountId: number, time: number | null): Promise<void> {
  await tx.updateTable('accounts').set({ words_kept_at: time }).where('id', '=', accountId).execute();
}

/** Deletes an account, with everything that lets somebody in. What its vault held is erased afterwards. */
export async function deleteAccount(tx: Database, accountId: number): Promise<void> {
  await tx.deleteFrom('accounts').where('id', '=', accountId).execute();
}
