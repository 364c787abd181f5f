// For the transaction that destroys an account: what it erases need not be subtracted row by row from a sum that goes
// with it.
import { sql } from 'kysely';
import type { Database, Engine } from './open.ts';

/**
 * Nothing of this account is counted until the transaction ends, in which its row must go.
 *
 * On PostgreSQL this also keeps an order of locks. Whoever writes a row refers to the account first and changes `usage`
 * then; a transaction that had changed `usage` before it deletes the account would wait for that writer in a circle.
 */
export async function stopCounting(tx: Database, engine: Engine, accountId: number): Promise<void> {
  if (engine === 'postgres') {
    await sql`select set_config('latebra.uncounted', 'on', true)`.execute(tx);
  } else {
    await tx.deleteFrom('usage').where('account_id', '=', accountId).execute();
  }
}
