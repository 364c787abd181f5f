// Up to which change a vault has forgotten rows that are gone for good, in its row of `usage`.
import { sql } from 'kysely';
import type { Database } from './open.ts';

/** @param n the number of the newest change that is forgotten */
export async function forgetChange(tx: Database, accountId: number, n: number): Promise<void> {
  await sql`update usage set forgotten_change = ${n}
    where account_id = ${accountId} and forgotten_change < ${n}`.execute(tx);
}
