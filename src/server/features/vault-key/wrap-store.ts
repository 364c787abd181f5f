// The wraps of a vault's key: one for each way that opens it.
import type { WrapRecord } from '../../../shared/nouns/vault-key.ts';
import { setWordsKept } from '../../accounts/account-store.ts';
import { putWrap } from '../../accounts/wrap-store.ts';
import { lockAccount } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { iso } from '../../db/times.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { logActivity } from '../../http/activity-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'log'>;

/** Whether every passkey that opens one of these wraps belongs to this account. */
export async function ownsPasskeys(tx: Database, accountId: number, wraps: WrapRecord[]): Promise<boolean> {
  for (const wrap of wraps) {
    if (wrap.method !== 'passkey') continue;
    const mine = await tx
      .selectFrom('passkeys')
      .select('id')
      .where('id', '=', wrap.params.credentialId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (!mine) return false;
  }
  return true;
}

/** Files a wrap of the current key; one that was there for the same way is replaced. */
export async function addWrap(
  deps: Store,
  { accountId, device }: KeyOwner,
  fingerprint: string,
  wrap: WrapRecord,
): Promise<{ id: number; wrap: WrapRecord; createdAt: string } | 'key-changed' | 'foreign-passkey'> {
  const time = deps.now();
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await ownsPasskeys(tx, accountId, [wrap]))) return 'foreign-passkey';
    if (!(await isPresentKey(tx, accountId, fingerprint))) return 'key-changed';
    const id = await putWrap(tx, accountId, { fingerprint, wrap }, time);
    await logActivity(deps, tx, accountId, { kind: 'way-back-added', way: wrap.method, device });
    return { id, wrap, createdAt: iso(time) };
  });
}

/** Whether the vault has this key just now. */
async function isPresentKey(tx: Database, accountId: number, fingerprint: string): Promise<boolean> {
  const key = await tx
    .selectFrom('vault_keys')
    .select('fingerprint')
    .where('account_id', '=', accountId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return key !== undefined;
}

/** Notes that the owner has proved to keep the words of this key. Null when the key is another by now. */
export async function keepWords(
  deps: Store,
  { accountId, device }: KeyOwner,
  fingerprint: string,
): Promise<number | null> {
  const time = deps.now();
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await isPresentKey(tx, accountId, fingerprint))) return null;
    await setWordsKept(tx, accountId, time);
    await logActivity(deps, tx, accountId, { kind: 'words-kept', device });
    return time;
  });
}

/** Whose key it is, and the session that survives its replacement. */
export interface KeyOwner {
  accountId: number;
  sessionHash: string;
  /** Where it is done. */
  device: string;
}
