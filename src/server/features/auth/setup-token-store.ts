// Set-up tokens in the database: only their keyed hashes.

import { makeAdmin } from '../../accounts/account-store.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { logActivity } from '../../http/activity-store.ts';
import type { Caller } from '../../http/session.ts';

type Store = Pick<Deps, 'db' | 'now'>;

export async function hasAdministrator({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  const administrator = await db
    .selectFrom('accounts')
    .select('id')
    .where('is_admin', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return administrator !== undefined;
}

export async function offerToken({ db, now }: Store, tokenHash: string): Promise<void> {
  await db
    .insertInto('setup_tokens')
    .values({ token_hash: tokenHash, created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Takes the set-up token, for whoever becomes the administrator in the same transaction. One statement decides who was
 * first; once there is an administrator, a token that another server offered meanwhile is worth nothing.
 */
export async function takeSetupToken({ db: tx }: Pick<Deps, 'db'>, tokenHash: string): Promise<boolean> {
  const taken = await tx
    .deleteFrom('setup_tokens')
    .where('token_hash', '=', tokenHash)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('accounts').select('id').where('is_admin', '=', 1))),
    )
    .returning('token_hash')
    .executeTakeFirst();
  if (!taken) return false;
  await tx.deleteFrom('setup_tokens').execute();
  return true;
}

/** Trades the set-up token for the keeping of this server. */
export async function claimSetupToken(
  deps: Store & Pick<Deps, 'log'>,
  tokenHash: string,
  { accountId, device }: Pick<Caller, 'accountId' | 'device'>,
): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    if (!(await takeSetupToken({ db: tx }, tokenHash))) return false;
    await makeAdmin(tx, accountId);
    await logActivity(deps, tx, accountId, { kind: 'became-admin', device });
    return true;
  });
}
