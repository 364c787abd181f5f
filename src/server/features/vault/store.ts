// Destroying a vault: its account goes, with everything that lets anybody in, and from that moment nothing in it is there
// for anybody. What it held is erased afterwards, a step at a time (features/vault/erase-store.ts).
import { DETACHED_LASTS } from '../../../shared/nouns/legacy.ts';
import { deleteAccount } from '../../accounts/account-store.ts';
import { lockAccount, lockKey } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { stopCounting } from '../../db/stop-counting.ts';
import { transact } from '../../db/transact.ts';
import { countedTime } from '../../deadman/clock/counted-time-store.ts';
import { mayText } from '../../deadman/delivery/text-permission-store.ts';
import { scheduleQueue } from '../../deadman/delivery/whisper-room-store.ts';
import { lockLastActivity } from '../../deadman/watch/last-activity-store.ts';
import type { Deps } from '../../deps.ts';
import { deleteChallengesOf } from '../../http/challenge-store.ts';

/** What other features end with a vault, in the same transaction, while the account is held. */
export type AlsoEnd = (tx: Database, accountId: number) => Promise<void>;

/**
 * Destroys an account's vault. Its name, its sessions, keys, wraps and ways in are gone with the account; what the vault
 * held can be found by nobody any more.
 * @param scrolls `release` lets go of those that watch, and leaves the released ones to their recipients for a year
 */
export async function destroyVault(
  deps: Pick<Deps, 'config' | 'db' | 'digests' | 'engine'>,
  { accountId, uid }: { accountId: number; uid: string },
  scrolls: 'disarm' | 'release',
  alsoEnd: AlsoEnd = async () => {},
): Promise<void> {
  await transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    await lockKey(tx, accountId);
    await lockLastActivity(tx, accountId);
    await stopCounting(tx, deps.engine, accountId);
    if (scrolls === 'release') {
      await tx
        .updateTable('vaults')
        .set({
          state: 'leaving',
          kept_until: (await countedTime(tx)) + DETACHED_LASTS,
          texts_permitted: (await mayText(deps, tx, accountId)) ? 1 : 0,
        })
        .where('id', '=', accountId)
        .where('state', '=', 'live')
        .execute();
    }
    await alsoEnd(tx, accountId);
    // Challenges live for minutes and name an account in their payload, if at all.
    await deleteChallengesOf(tx, uid);
    // Otherwise this marks the vault as one that is only erased.
    await deleteAccount(tx, accountId);
  });
  // What waited for room in it is told to its authors now, or within the hour.
  await transact(deps.db, (tx) => scheduleQueue(tx, deps, accountId));
}
