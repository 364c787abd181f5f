// The numbers of a vault's changes, as readers ask for them. Triggers write them (db/change-triggers.ts).
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { KindName } from '../../shared/sealed-kinds.ts';
import { compiled } from '../db/compiled.ts';
import type { Database } from '../db/open.ts';

/** Changes of one vault behind a number, up to another. */
export interface Range {
  accountId: number;
  after: number;
  upTo: number;
}

const numbers = compiled<{ accountId: number }>()((db, value) =>
  db
    .selectFrom('usage')
    .select(['last_change', 'forgotten_change'])
    .where('account_id', '=', value('accountId')),
);

export interface Numbers {
  /** Of the newest change of a vault. */
  newest: number;
  /** Of the newest change that is forgotten: a row that was gone for good by then. */
  forgotten: number;
}

/** @returns null where the account is gone */
export async function readNumbers(db: Database, accountId: number): Promise<Numbers | null> {
  const [row] = await numbers(db, { accountId });
  return row ? { newest: row.last_change, forgotten: row.forgotten_change } : null;
}

interface Asked {
  accountId: number;
  after: number;
  limit: number;
}

const notedChanges = compiled<Asked>()((db, value) =>
  db
    .selectFrom('changes')
    .select(['n', 'kind', 'entry_id as id', 'seal_id as sealId', 'ended_at as endedAt'])
    .where('account_id', '=', value('accountId'))
    .where('n', '>', value('after'))
    .orderBy('n')
    .limit(value('limit')),
);

/** One row's newest change. */
export type Noted = Awaited<ReturnType<typeof readChanges>>[number];

/** The first changes behind a number, in their order. */
export const readChanges = (db: Database, asked: Asked) => notedChanges(db, asked);

/**
 * A condition for rows of a kind: those whose newest change is among these. What has changed once more since is not, and
 * stands behind them.
 * @param id the column of the row's number
 */
export const changedIn = (
  kind: KindName,
  { accountId, after, upTo }: Range,
  id = 'id',
): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(id)} in (select entry_id from changes
    where account_id = ${accountId} and kind = ${kind} and n > ${after} and n <= ${upTo})`;
