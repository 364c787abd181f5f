// What was staged for a new key and never put in place.

import { sql } from 'kysely';
import { DAY } from '../../../shared/time.ts';
import { heapOf, withEach } from '../../db/steps.ts';
import type { Deps } from '../../deps.ts';

const REGENERATION_LASTS = DAY;

export async function expireRegenerations(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const old = now() - REGENERATION_LASTS;
  await withEach(
    db,
    heapOf('staged_entries', ['account_id', 'kind', 'entry_id']),
    sql`account_id in (select account_id from regenerations where begun_at <= ${old})`,
    (tx, these) => sql`delete from staged_entries where ${these}`.execute(tx),
    signal,
  );
  await db.deleteFrom('regenerations').where('begun_at', '<=', old).execute();
}
