// Destroying a vault: the account's row, and by reference every row that belongs to it.
import { holdAccount } from '../../db/hold.ts';
import { askForRewriting } from '../../db/rewrite.ts';
import type { Deps } from '../../deps.ts';

/**
 * Erases an account with everything that is its own: entries, shares, keys, wraps, ways in, sessions. Nothing is left
 * that says it was there.
 */
export async function destroyVault(
  { db, engine }: Pick<Deps, 'db' | 'engine'>,
  { accountId, uid }: { accountId: number; uid: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await holdAccount(tx, accountId);
    // Challenges live for minutes and name an account in their payload, if at all.
    await tx.deleteFrom('challenges').where('payload', 'like', `%${uid}%`).execute();
    await tx.deleteFrom('accounts').where('id', '=', accountId).execute();
    await askForRewriting(tx, engine);
  });
}
