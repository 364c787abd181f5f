// Envelopes of vault keys: public parts and wraps. Nothing here opens anything.
import { sql } from 'kysely';
import type { ClientKeyRecord, VaultKeyRecord, WrapRecord } from '../../../shared/vault-key.ts';
import { isUniqueViolation } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../http/digests.ts';

type Store = Pick<Deps, 'db' | 'now'>;

const iso = (time: number) => new Date(time).toISOString();

/** What a wrap is filed under: one per passkey, and one passphrase. */
const referenceOf = (wrap: WrapRecord) => (wrap.method === 'passkey' ? wrap.params.credentialId : '');

export async function findVaultKey({ db }: Store, accountId: number): Promise<VaultKeyRecord | null> {
  const key = await db
    .selectFrom('vault_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!key) return null;
  const wraps = await db
    .selectFrom('wraps')
    .select('body')
    .where('account_id', '=', accountId)
    .where('fingerprint', '=', key.fingerprint)
    .orderBy('id')
    .execute();
  return {
    clientKey: {
      v: 1,
      fingerprint: key.fingerprint,
      recipient: key.recipient,
      verifyingKey: key.verifying_key,
      signature: key.signature,
      keyCheck: key.key_check,
      wraps: wraps.map(({ body }) => JSON.parse(body) as WrapRecord),
    },
    createdAt: iso(key.created_at),
  };
}

/**
 * Keeps the envelope of a first key, or replaces a key by another: compare-and-swap on the fingerprint that is
 * replaced. Old wraps and the proof of the old words go with the old key; other sessions end.
 * @param previous the fingerprint to replace, or null for the first key
 * @returns false when the key that stands there is not `previous`
 */
export async function putVaultKey(
  { db, now }: Store,
  owner: { accountId: number; sessionHash: string },
  clientKey: ClientKeyRecord,
  previous: string | null,
): Promise<boolean> {
  const values = {
    fingerprint: clientKey.fingerprint,
    recipient: clientKey.recipient,
    verifying_key: clientKey.verifyingKey,
    verifying_key_hash: sha256(clientKey.verifyingKey),
    signature: clientKey.signature,
    key_check: clientKey.keyCheck,
    created_at: now(),
  };
  try {
    return await db.transaction().execute(async (tx) => {
      const written =
        previous === null
          ? await tx
              .insertInto('vault_keys')
              .values({ account_id: owner.accountId, ...values })
              .onConflict((conflict) => conflict.column('account_id').doNothing())
              .returning('account_id')
              .executeTakeFirst()
          : await tx
              .updateTable('vault_keys')
              .set(values)
              .where('account_id', '=', owner.accountId)
              .where('fingerprint', '=', previous)
              .returning('account_id')
              .executeTakeFirst();
      if (!written) return false;
      if (previous !== null) {
        await tx.deleteFrom('wraps').where('account_id', '=', owner.accountId).execute();
        await tx
          .updateTable('accounts')
          .set({ words_kept_at: null })
          .where('id', '=', owner.accountId)
          .execute();
        await tx
          .deleteFrom('sessions')
          .where('account_id', '=', owner.accountId)
          .where('id_hash', '<>', owner.sessionHash)
          .execute();
      }
      for (const wrap of clientKey.wraps) {
        await tx
          .insertInto('wraps')
          .values({
            account_id: owner.accountId,
            fingerprint: clientKey.fingerprint,
            method: wrap.method,
            reference: referenceOf(wrap),
            body: JSON.stringify(wrap),
            created_at: now(),
          })
          .execute();
      }
      return true;
    });
  } catch (error) {
    // Two wraps for one way, or another vault's verifying key: either way not the envelope of a new key.
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Files a wrap of the current key; one that was there for the same way is replaced. */
export async function addWrap(
  { db, now }: Store,
  accountId: number,
  fingerprint: string,
  wrap: WrapRecord,
): Promise<{ id: number; wrap: WrapRecord; createdAt: string } | null> {
  const time = now();
  const row = await db
    .insertInto('wraps')
    .columns(['account_id', 'fingerprint', 'method', 'reference', 'body', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('vault_keys')
        .select([
          'account_id',
          'fingerprint',
          sql<'passkey' | 'passphrase'>`cast(${wrap.method} as text)`.as('method'),
          sql<string>`cast(${referenceOf(wrap)} as text)`.as('reference'),
          sql<string>`cast(${JSON.stringify(wrap)} as text)`.as('body'),
          sql<number>`cast(${time} as bigint)`.as('created_at'),
        ])
        .where('account_id', '=', accountId)
        .where('fingerprint', '=', fingerprint),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'method', 'reference']).doUpdateSet((eb) => ({
        fingerprint: eb.ref('excluded.fingerprint'),
        body: eb.ref('excluded.body'),
        created_at: eb.ref('excluded.created_at'),
      })),
    )
    .returning('id')
    .executeTakeFirst();
  return row ? { id: row.id, wrap, createdAt: iso(time) } : null;
}

/** Whether a passkey belongs to an account. */
export async function ownsPasskey({ db }: Store, accountId: number, credentialId: string): Promise<boolean> {
  const row = await db
    .selectFrom('passkeys')
    .select('id')
    .where('id', '=', credentialId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that the owner has proved to keep the words of this key. False when the key is another by now. */
export async function keepWords(
  { db, now }: Store,
  accountId: number,
  fingerprint: string,
): Promise<number | null> {
  const time = now();
  const row = await db
    .updateTable('accounts')
    .set({ words_kept_at: time })
    .where('id', '=', accountId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('vault_keys')
          .select('account_id')
          .whereRef('vault_keys.account_id', '=', 'accounts.id')
          .where('fingerprint', '=', fingerprint),
      ),
    )
    .returning('id')
    .executeTakeFirst();
  return row ? time : null;
}
