// Set-up tokens in the database: only their keyed hashes.
import type { Deps } from '../../deps.ts';

type Store = Pick<Deps, 'db' | 'now'>;

export async function someoneKeepsTheHouse({ db }: Store): Promise<boolean> {
  const keeper = await db
    .selectFrom('accounts')
    .select('id')
    .where('is_admin', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return keeper !== undefined;
}

export async function offerToken({ db, now }: Store, tokenHash: string): Promise<void> {
  await db
    .insertInto('setup_tokens')
    .values({ token_hash: tokenHash, created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Trades the set-up token for the keeping of this house. One statement decides who was first; once somebody keeps
 * the house, a token that another server offered meanwhile is worth nothing.
 */
export async function claimSetupToken({ db }: Store, tokenHash: string, accountId: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
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
    await tx.updateTable('accounts').set({ is_admin: 1 }).where('id', '=', accountId).execute();
    return true;
  });
}
