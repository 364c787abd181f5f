// Everything the gate asks of the database: accounts, passkeys, sessions, proofs.
import { type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import type { Passkey, Session, User } from '../../../shared/account.ts';
import type { WrapRecord } from '../../../shared/vault-key.ts';
import { isUniqueViolation } from '../../db/open.ts';
import type { Schema, SignInWay } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import { type Caller, isKeeper, PROOF_LASTS } from '../../http/session.ts';

type Store = Pick<Deps, 'db' | 'now' | 'config'>;

const iso = (time: number) => new Date(time).toISOString();
const isoOrNull = (time: number | null) => (time === null ? null : iso(time));

export interface NewAccount {
  uid: string;
  name?: string;
  authHash?: string;
  passphraseSalt?: string;
  oidcSubject?: string;
  email?: string | null;
  firstName?: string | null;
  lastName?: string | null;
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
      is_admin: 0,
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

/** Finds the account of a provider's subject, or makes it; what the provider says of the person is refreshed. */
export async function upsertOidcAccount(
  { db, now }: Store,
  account: NewAccount & { oidcSubject: string },
): Promise<number> {
  const profile = {
    email: account.email ?? null,
    first_name: account.firstName ?? null,
    last_name: account.lastName ?? null,
  };
  const row = await db
    .insertInto('accounts')
    .values({
      uid: account.uid,
      name: null,
      auth_hash: null,
      passphrase_salt: null,
      oidc_subject: account.oidcSubject,
      ...profile,
      is_admin: 0,
      onboarded_at: null,
      words_kept_at: null,
      created_at: now(),
    })
    .onConflict((conflict) => conflict.column('oidc_subject').doUpdateSet(profile))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function oidcSubjectOf({ db }: Store, accountId: number): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('oidc_subject')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.oidc_subject ?? null;
}

/** The user as the contract shows one. `session` is what the caller's session says of itself. */
export async function loadUser(
  { db, config }: Store,
  accountId: number,
  session: { way: SignInWay; provedAt: number },
): Promise<User> {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('vault_keys', 'vault_keys.account_id', 'accounts.id')
    .select((eb) => [
      'accounts.uid',
      'accounts.name',
      'accounts.email',
      'accounts.first_name',
      'accounts.last_name',
      'accounts.is_admin',
      'accounts.oidc_subject',
      'accounts.onboarded_at',
      'accounts.words_kept_at',
      'vault_keys.fingerprint',
      eb
        .selectFrom('passkeys')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('passkeys.account_id', '=', 'accounts.id')
        .as('passkey_count'),
      countWraps(eb, 'passkey').as('passkey_wraps'),
      countWraps(eb, 'passphrase').as('passphrase_wraps'),
    ])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow();
  return {
    id: row.uid,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    stripeSubscriptionId: null,
    onboardingComplete: row.onboarded_at !== null,
    name: row.name,
    isAdmin: isKeeper(config, row),
    signedInBy: session.way,
    provedUntil: iso(session.provedAt + PROOF_LASTS),
    keyFingerprint: row.fingerprint,
    wordsKeptAt: isoOrNull(row.words_kept_at),
    passkeyCount: Number(row.passkey_count ?? 0),
    wayBackPasskeys: Number(row.passkey_wraps ?? 0),
    wayBackPassphrase: Number(row.passphrase_wraps ?? 0) > 0,
  };
}

/** Wraps of an older key open nothing any more and are not counted. */
function countWraps(
  eb: ExpressionBuilder<Schema & { vault_keys: Schema['vault_keys'] }, 'accounts'>,
  method: 'passkey' | 'passphrase',
) {
  return eb
    .selectFrom('wraps')
    .innerJoin('vault_keys as held', (join) =>
      join
        .onRef('held.account_id', '=', 'wraps.account_id')
        .onRef('held.fingerprint', '=', 'wraps.fingerprint'),
    )
    .select((count) => count.fn.countAll<number>().as('count'))
    .whereRef('wraps.account_id', '=', 'accounts.id')
    .where('wraps.method', '=', method);
}

export interface NewPasskey {
  id: string;
  publicKey: string;
  counter: number;
  transports: string[];
  label: string;
}

/** Makes an account and its first passkey together. Null when the passkey is already known. */
export async function createAccountWithPasskey(
  deps: Store,
  uid: string,
  passkey: NewPasskey,
): Promise<number | null> {
  try {
    return await deps.db.transaction().execute(async (tx) => {
      const inside = { ...deps, db: tx };
      const accountId = await createAccount(inside, { uid });
      if (accountId === null) return null;
      await insertPasskey(inside, accountId, passkey);
      return accountId;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
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

/** Adds a passkey to an account. False when it is already known, here or elsewhere. */
export async function addPasskey(deps: Store, accountId: number, passkey: NewPasskey): Promise<boolean> {
  try {
    await insertPasskey(deps, accountId, passkey);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

export function findPasskey({ db }: Store, id: string) {
  return db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Notes a passkey's use. The counter never goes back, whichever of two uses is written last. */
export async function notePasskeyUse({ db, now }: Store, id: string, counter: number): Promise<void> {
  await db
    .updateTable('passkeys')
    .set({
      last_used_at: now(),
      counter: sql`case when counter < ${counter} then ${counter} else counter end`,
    })
    .where('id', '=', id)
    .execute();
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

/** A condition: something else than what `except` names still signs this account in. */
function anotherWayIn(db: Store['db'], accountId: number, except: { passkey: string } | 'passphrase') {
  const owner = db.selectFrom('accounts as owner').select('owner.id').where('owner.id', '=', accountId);
  return expressionBuilder<Schema>().exists(
    owner.where((eb) =>
      eb.or([
        ...(except === 'passphrase' ? [] : [eb('owner.auth_hash', 'is not', null)]),
        eb('owner.oidc_subject', 'is not', null),
        eb('owner.words_kept_at', 'is not', null),
        eb.exists(
          eb
            .selectFrom('passkeys as other')
            .select('other.id')
            .whereRef('other.account_id', '=', 'owner.id')
            .where('other.id', '<>', except === 'passphrase' ? '' : except.passkey),
        ),
      ]),
    ),
  );
}

/**
 * Holds an account's row until the transaction ends, so that two removals of two last ways in cannot each find
 * the other one still there. An update that changes nothing locks on both engines.
 */
async function holdAccount(tx: Store['db'], accountId: number): Promise<void> {
  await tx.updateTable('accounts').set({ is_admin: sql`is_admin` }).where('id', '=', accountId).execute();
}

/** Removes a passkey and its wrap, unless nothing else would sign this account in. */
export async function removePasskey(
  { db }: Store,
  accountId: number,
  id: string,
): Promise<'removed' | 'last-way-in' | 'not-found'> {
  return db.transaction().execute(async (tx) => {
    await holdAccount(tx, accountId);
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
    await tx
      .deleteFrom('wraps')
      .where('account_id', '=', accountId)
      .where('method', '=', 'passkey')
      .where('reference', '=', id)
      .execute();
    return 'removed';
  });
}

/**
 * Gives an account a name and a passphrase, or new ones, with the wrap that this passphrase opens; every other
 * session ends.
 */
export async function setPassphrase(
  { db, now }: Store,
  caller: Caller,
  passphrase: { name: string; authHash: string; salt: string; wrap: WrapRecord },
): Promise<'set' | 'name-taken' | 'key-changed'> {
  try {
    return await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('accounts')
        .set({ name: passphrase.name, auth_hash: passphrase.authHash, passphrase_salt: passphrase.salt })
        .where('id', '=', caller.accountId)
        .execute();
      await tx
        .deleteFrom('wraps')
        .where('account_id', '=', caller.accountId)
        .where('method', '=', 'passphrase')
        .execute();
      const written = await tx
        .insertInto('wraps')
        .columns(['account_id', 'fingerprint', 'method', 'reference', 'body', 'created_at'])
        .expression((eb) =>
          eb
            .selectFrom('vault_keys')
            .select([
              'account_id',
              'fingerprint',
              eb.val('passphrase').as('method'),
              eb.val('').as('reference'),
              eb.val(JSON.stringify(passphrase.wrap)).as('body'),
              sql<number>`cast(${now()} as bigint)`.as('created_at'),
            ])
            .where('account_id', '=', caller.accountId),
        )
        .returning('id')
        .executeTakeFirst();
      if (!written) throw new NoVaultKey();
      await tx
        .deleteFrom('sessions')
        .where('account_id', '=', caller.accountId)
        .where('id_hash', '<>', caller.sessionHash)
        .execute();
      return 'set' as const;
    });
  } catch (error) {
    if (error instanceof NoVaultKey) return 'key-changed';
    if (isUniqueViolation(error)) return 'name-taken';
    throw error;
  }
}

/** Rolls the transaction back: there is no vault key that the wrap could belong to. */
class NoVaultKey extends Error {}

/** Takes name and passphrase from an account, unless nothing else would sign it in. */
export async function removePassphrase({ db }: Store, accountId: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await holdAccount(tx, accountId);
    const removed = await tx
      .updateTable('accounts')
      .set({ name: null, auth_hash: null, passphrase_salt: null })
      .where('id', '=', accountId)
      .where(anotherWayIn(tx, accountId, 'passphrase'))
      .returning('id')
      .executeTakeFirst();
    if (!removed) return false;
    await tx
      .deleteFrom('wraps')
      .where('account_id', '=', accountId)
      .where('method', '=', 'passphrase')
      .execute();
    return true;
  });
}

export async function listSessions({ db, now }: Store, caller: Caller): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('account_id', '=', caller.accountId)
    .where('expires_at', '>', now())
    .orderBy('seen_at', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.public_id,
    current: row.id_hash === caller.sessionHash,
    signedInBy: row.way,
    device: row.device,
    createdAt: iso(row.created_at),
    seenAt: iso(row.seen_at),
    expiresAt: iso(row.expires_at),
  }));
}

/** Ends one session of an account. False when it has none of that number. */
export async function revokeSession({ db }: Store, accountId: number, publicId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('public_id', '=', publicId)
    .returning('id_hash')
    .executeTakeFirst();
  return row !== undefined;
}

export async function revokeOtherSessions({ db }: Store, caller: Caller): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', caller.accountId)
    .where('id_hash', '<>', caller.sessionHash)
    .execute();
}

/** Trades the set-up token for the keeping of this house. One statement decides who was first. */
export async function claimSetupToken({ db }: Store, tokenHash: string, accountId: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const taken = await tx
      .deleteFrom('setup_tokens')
      .where('token_hash', '=', tokenHash)
      .returning('token_hash')
      .executeTakeFirst();
    if (!taken) return false;
    await tx.deleteFrom('setup_tokens').execute();
    await tx.updateTable('accounts').set({ is_admin: 1 }).where('id', '=', accountId).execute();
    return true;
  });
}
