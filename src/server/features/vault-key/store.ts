// Envelopes of vault keys: public parts and wraps. Nothing here opens anything.
import type {
  ClientKeyRecord,
  KeyRingRecord,
  VaultKeyRecord,
  WrapRecord,
} from '../../../shared/nouns/vault-key.ts';
import { setWordsKept } from '../../accounts/account-store.ts';
import { deleteWraps, insertWraps } from '../../accounts/wrap-store.ts';
import { lockAccount } from '../../db/locks.ts';
import { type Database, isUniqueViolation } from '../../db/open.ts';
import { iso } from '../../db/times.ts';
import { transactAlone } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../digests.ts';
import { AppError } from '../../errors.ts';
import { logActivity } from '../../http/activity-store.ts';
import { endOtherSessions } from '../../http/session-store.ts';
import { forgetRegeneration } from './staged-store.ts';
import { type KeyOwner, ownsPasskeys } from './wrap-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'log'>;

/** The envelope with the wraps of its own key: read by one statement, so that the two belong together. */
export async function findVaultKey({ db }: Store, accountId: number): Promise<VaultKeyRecord | null> {
  const rows = await db
    .selectFrom('vault_keys as key')
    .leftJoin('wraps', (join) =>
      join
        .onRef('wraps.account_id', '=', 'key.account_id')
        .onRef('wraps.fingerprint', '=', 'key.fingerprint'),
    )
    .select([
      'key.generation',
      'key.fingerprint',
      'key.recipient',
      'key.verifying_key',
      'key.signature',
      'key.succession',
      'key.key_check',
      'key.ring_seal_id',
      'key.ring_sealed',
      'key.created_at',
      'wraps.body',
    ])
    .where('key.account_id', '=', accountId)
    .orderBy('wraps.id')
    .execute();
  const [key] = rows;
  if (!key) return null;
  return {
    clientKey: {
      v: 1,
      generation: key.generation,
      fingerprint: key.fingerprint,
      recipient: key.recipient,
      verifyingKey: key.verifying_key,
      signature: key.signature,
      succession: key.succession,
      keyCheck: key.key_check,
      wraps: rows.flatMap(({ body }) => (body === null ? [] : [JSON.parse(body) as WrapRecord])),
    },
    keyRing:
      key.ring_seal_id === null || key.ring_sealed === null
        ? null
        : { sealId: key.ring_seal_id, sealed: key.ring_sealed },
    createdAt: iso(key.created_at),
  };
}

/** What somebody needs who seals to a vault: its recipient, and whose key that is. */
export async function findRecipient(
  { db }: Pick<Store, 'db'>,
  accountId: number,
): Promise<{ fingerprint: string; recipient: string } | null> {
  const key = await db
    .selectFrom('vault_keys')
    .select(['fingerprint', 'recipient'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return key ?? null;
}

/** A key that may be replaced: what its successor is compared with. */
export interface StandingKey {
  fingerprint: string;
  generation: number;
  verifyingKey: string;
}

export async function findStandingKey(
  { db }: Pick<Store, 'db'>,
  accountId: number,
): Promise<StandingKey | null> {
  const row = await db
    .selectFrom('vault_keys')
    .select(['fingerprint', 'generation', 'verifying_key as verifyingKey'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Keeps the envelope of a first key, or replaces a key by another. Without a ring the words under older keys burn.
 * @param swap.replaced the key to replace, or null for the first key
 * @returns `key-changed` when the key that stands there is another by now
 */
export async function putVaultKey(
  deps: Store,
  owner: KeyOwner,
  clientKey: ClientKeyRecord,
  swap: { replaced: StandingKey | null; keyRing: KeyRingRecord | null },
): Promise<'kept' | 'key-changed' | 'foreign-passkey'> {
  const { accountId, device } = owner;
  const time = deps.now();
  try {
    return await transactAlone(deps.db, async (tx) => {
      await lockAccount(tx, accountId);
      if (!(await ownsPasskeys(tx, accountId, clientKey.wraps))) return 'foreign-passkey';
      const { replaced, keyRing } = swap;
      const written =
        replaced === null
          ? await insertKey(tx, accountId, clientKey, keyRing, time)
          : await replaceKey(tx, owner, clientKey, { replaced, keyRing, wordsKeptAt: null, time });
      if (!written) return 'key-changed';
      const kind = replaced === null ? 'key-made' : 'key-replaced';
      await logActivity(deps, tx, accountId, { kind, device });
      return 'kept';
    });
  } catch (error) {
    // Another vault has this verifying key.
    if (isUniqueViolation(error)) return 'key-changed';
    throw error;
  }
}

async function insertKey(
  tx: Database,
  accountId: number,
  clientKey: ClientKeyRecord,
  keyRing: KeyRingRecord | null,
  time: number,
): Promise<boolean> {
  const written = await tx
    .insertInto('vault_keys')
    .values({ account_id: accountId, ...keyRow(clientKey, keyRing, time) })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .returning('account_id')
    .executeTakeFirst();
  if (!written) return false;
  await refuseLeftByAnother(tx, accountId, clientKey);
  await insertWraps(tx, accountId, clientKey, time);
  return true;
}

/**
 * Replaces a key: compare-and-swap on the whole key that its successor was compared with. Old wraps, the proof of the old words and a regeneration that
 * was staged go with the old key; other sessions end. The caller's transaction holds the account.
 * @returns false, with nothing changed, when the key that stands there is not `replaced`, or is newer
 * @throws a unique violation when another vault has this verifying key, AppError `key-changed` when one has had it
 */
export async function replaceKey(
  tx: Database,
  { accountId, sessionHash }: Pick<KeyOwner, 'accountId' | 'sessionHash'>,
  clientKey: ClientKeyRecord,
  swap: {
    replaced: StandingKey;
    keyRing: KeyRingRecord | null;
    wordsKeptAt: number | null;
    time: number;
  },
): Promise<boolean> {
  const { replaced } = swap;
  await retireKey(tx, accountId, replaced.fingerprint);
  const written = await tx
    .updateTable('vault_keys')
    .set(keyRow(clientKey, swap.keyRing, swap.time))
    .where('account_id', '=', accountId)
    .where('fingerprint', '=', replaced.fingerprint)
    .where('verifying_key', '=', replaced.verifyingKey)
    .where('generation', '=', replaced.generation)
    .where('generation', '<', clientKey.generation)
    .returning('account_id')
    .executeTakeFirst();
  if (!written) return false;
  await refuseLeftByAnother(tx, accountId, clientKey);
  await deleteWraps(tx, accountId);
  await forgetRegeneration(tx, accountId);
  await setWordsKept(tx, accountId, swap.wordsKeptAt);
  await endOtherSessions(tx, { accountId, sessionHash });
  await insertWraps(tx, accountId, clientKey, swap.time);
  return true;
}

/** A vault's address is made of public keys. Whispers to the one that it has left must find nobody else there. */
async function retireKey(tx: Database, accountId: number, fingerprint: string): Promise<void> {
  await tx
    .insertInto('retired_keys')
    .columns(['verifying_key_hash', 'account_id'])
    .expression((eb) =>
      eb
        .selectFrom('vault_keys')
        .select(['verifying_key_hash', 'account_id'])
        .where('account_id', '=', accountId)
        .where('fingerprint', '=', fingerprint),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Asked once the key is written: whoever gives it up at the same moment has done so by now. */
async function refuseLeftByAnother(
  tx: Database,
  accountId: number,
  { verifyingKey }: ClientKeyRecord,
): Promise<void> {
  const left = await tx
    .selectFrom('retired_keys')
    .select('account_id')
    .where('verifying_key_hash', '=', sha256(verifyingKey))
    .where('account_id', '<>', accountId)
    .executeTakeFirst();
  if (left) throw new AppError('key-changed');
}

function keyRow(clientKey: ClientKeyRecord, keyRing: KeyRingRecord | null, time: number) {
  return {
    generation: clientKey.generation,
    fingerprint: clientKey.fingerprint,
    recipient: clientKey.recipient,
    verifying_key: clientKey.verifyingKey,
    verifying_key_hash: sha256(clientKey.verifyingKey),
    // docs/formats.md, "Vault address".
    address: sha256(clientKey.recipient + clientKey.verifyingKey).slice(0, 32),
    signature: clientKey.signature,
    succession: clientKey.succession,
    key_check: clientKey.keyCheck,
    ring_seal_id: keyRing?.sealId ?? null,
    ring_sealed: keyRing?.sealed ?? null,
    created_at: time,
  };
}
