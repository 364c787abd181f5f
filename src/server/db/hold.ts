// Holding an account until a transaction ends: what belongs to one account changes one thing after the other.
import { sql } from 'kysely';
import type { Database } from './open.ts';

/**
 * Every transaction that changes an account's key, wraps or ways in begins with this, so that two of them can
 * neither build on the same state nor wait for each other in a circle. An update that changes nothing locks on
 * both engines.
 */
export async function holdAccount(tx: Database, accountId: number): Promise<void> {
  await tx.updateTable('accounts').set({ is_admin: sql`is_admin` }).where('id', '=', accountId).execute();
}
