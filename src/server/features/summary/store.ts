// What the dashboard tells: counts that the owners of the tables define, in one statement.
import type { AliasableExpression, Expression } from 'kysely';
import { asNumber } from '../../db/casts.ts';
import { compiled } from '../../db/compiled.ts';
import type { Tally } from '../../db/counted.ts';
import type { Database } from '../../db/open.ts';
import { tallyOf } from '../../db/tallies.ts';
import type { Deps } from '../../deps.ts';

/** A query that counts something of an account. @param time epoch milliseconds */
export type Count = (
  db: Database,
  accountId: Expression<number>,
  time: Expression<number>,
) => AliasableExpression<unknown>;

/** What the triggers have counted already. */
export const tallied =
  (column: Tally['column']): Count =>
  (_, accountId) =>
    tallyOf(column, accountId);

/** @returns counts everything at once */
export function countAll<Name extends string>(counts: Record<Name, Count>) {
  const names = Object.keys(counts) as Name[];
  const statement = compiled<{ accountId: number; time: number }>()((db, value) =>
    db.selectNoFrom(() =>
      names.map((name) => counts[name](db, asNumber(value('accountId')), asNumber(value('time'))).as(name)),
    ),
  );
  return async ({ db, now }: Pick<Deps, 'db' | 'now'>, accountId: number): Promise<Record<Name, number>> => {
    const [row] = await statement(db, { accountId, time: now() });
    const entries = names.map((name) => [name, Number((row as Record<string, unknown>)[name] ?? 0)]);
    return Object.fromEntries(entries) as Record<Name, number>;
  };
}
