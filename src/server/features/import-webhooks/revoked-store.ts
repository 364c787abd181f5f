// Addresses of webhooks that were revoked, each as a hash: for a while they say so, that whoever sends there stops. They go
// with their account, and then nothing tells that they were.
import { REVOKED_MAX, REVOKED_REMEMBERED } from '../../../shared/nouns/import-webhooks.ts';
import type { Database } from '../../db/open.ts';
import { retried } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';

type Store = Pick<Deps, 'db' | 'now'>;

/** Remembers the address of a webhook that is revoked in this transaction; of an account's, the last hundred. */
export async function rememberRevoked(
  tx: Database,
  { tokenHash, accountId, at }: { tokenHash: string; accountId: number; at: number },
): Promise<void> {
  await tx
    .insertInto('revoked_webhooks')
    .values({ token_hash: tokenHash, account_id: accountId, revoked_at: at })
    .execute();
  await tx
    .deleteFrom('revoked_webhooks')
    .where('account_id', '=', accountId)
    .where('token_hash', 'not in', (of) =>
      of
        .selectFrom('revoked_webhooks')
        .select('token_hash')
        .where('account_id', '=', accountId)
        .orderBy('revoked_at', 'desc')
        .orderBy('token_hash')
        .limit(REVOKED_MAX),
    )
    .execute();
}

/** Whether a webhook had this address, and was revoked lately. */
export async function isRevoked({ db, now }: Store, tokenHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('revoked_webhooks')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', '>', now() - REVOKED_REMEMBERED)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets those that were revoked long ago. */
export async function expireRevoked({ db, now }: Store): Promise<void> {
  await retried(db, () =>
    db
      .deleteFrom('revoked_webhooks')
      .where('revoked_at', '<=', now() - REVOKED_REMEMBERED)
      .execute(),
  );
}
