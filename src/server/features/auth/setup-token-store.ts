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
