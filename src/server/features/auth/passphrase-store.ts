// Names and passphrases in the database: a hash of a stretched key, and the wrap that the same passphrase opens.
import type { WrapRecord } from '../../../shared/nouns/vault-key.ts';
import { clearPassphrase, setPassphrase } from '../../accounts/account-store.ts';
import { deleteWraps, insertWraps } from '../../accounts/wrap-store.ts';
import { lockAccount } from '../../db/locks.ts';
import { isUniqueViolation } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { logActivity } from '../../http/activity-store.ts';
import type { Caller } from '../../http/session.ts';
import { endOtherSessions } from '../../http/session-store.ts';
import { anotherWayIn } from './way-in-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'log'>;

/**
 * Gives an account a name and a passphrase, or new ones, with the wrap that this passphrase opens; every other
 * session ends.
 */
export async function changePassphrase(
  deps: Store,
  caller: Caller,
  passphrase: {
    name: string;
    authHash: string;
    salt: string;
    wrap: WrapRecord;
    /** The key that is wrapped. */
    fingerprint: string;
  },
): Promise<'set' | 'name-taken' | 'key-changed'> {
  const { db, now } = deps;
  const { accountId, sessionHash, device } = caller;
  try {
    return await transact(db, async (tx) => {
      await lockAccount(tx, accountId);
      await setPassphrase(tx, accountId, passphrase);
      const key = await tx
        .selectFrom('vault_keys')
        .select('fingerprint')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      if (key?.fingerprint !== passphrase.fingerprint) throw new AnotherKey();
      await deleteWraps(tx, accountId, 'passphrase');
      await insertWraps(tx, accountId, { fingerprint: key.fingerprint, wraps: [passphrase.wrap] }, now());
      await endOtherSessions(tx, { accountId, sessionHash });
      await logActivity(deps, tx, accountId, { kind: 'passphrase-set', device });
      return 'set' as const;
    });
  } catch (error) {
    if (error instanceof AnotherKey) return 'key-changed';
    if (isUniqueViolation(error)) return 'name-taken';
    throw error;
  }
}

/** Rolls the transaction back: the vault has another key than the one that was wrapped, or none. */
class AnotherKey extends Error {}

/** Takes name and passphrase from an account, unless nothing else would sign it in; every other session ends. */
export async function removePassphrase(
  deps: Store,
  { accountId, sessionHash, device }: Caller,
): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await clearPassphrase(tx, accountId, anotherWayIn(tx, accountId, 'passphrase')))) return false;
    await deleteWraps(tx, accountId, 'passphrase');
    await endOtherSessions(tx, { accountId, sessionHash });
    await logActivity(deps, tx, accountId, { kind: 'passphrase-removed', device });
    return true;
  });
}
