// Accounts in the database: how they are made and found, by each of the ways in.
import type { Deps } from '../../deps.ts';

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

/** Makes an account. Returns its id, or null when the name or the provider's subject is already taken. */
export async function createAccount({ db, now }: Store, account: NewAccount): Promise<number | null> {
  const row = await db
    .insertInto('accounts')
    .values({
      uid: account.uid,
      name: account.name ?? null,
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

export function findByUid({ db }: Store, uid: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'uid', 'auth_hash'])
    .where('uid', '=', uid)
    .executeTakeFirst();
}

/** The account whose vault has this verifying key. */
export function findByVerifyingKeyHash({ db }: Store, hash: string) {
  return db
    .selectFrom('vault_keys')
    .select(['account_id', 'verifying_key'])
    .where('verifying_key_hash', '=', hash)
    .executeTakeFirst();
}

export function verifyingKeyOf({ db }: Store, accountId: number) {
  return db
    .selectFrom('vault_keys')
    .select('verifying_key')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
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
