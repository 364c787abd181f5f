// What the dashboard tells: counts that the owners of the tables define, in one statement.
import type { AliasableExpression } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';

/** A query that counts something of an account. @param time epoch milliseconds */
export type Count = (db: Database, accountId: number, time: number) => AliasableExpression<unknown>;

export async function countAll<Name extends string>(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  counts: Record<Name, Count>,
): Promise<Record<Name, number>> {
  const time = now();
  const names = Object.keys(counts) as Name[];
  const row = await db
    .selectNoFrom(() => names.map((name) => counts[name](db, accountId, time).as(name)))
    .executeTakeFirstOrThrow();
  const entries = names.map((name) => [name, Number((row as Record<string, unknown>)[name])]);
  return Object.fromEntries(entries) as Record<Name, number>;
}
