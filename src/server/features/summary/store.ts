// Counts for the dashboard, in one statement.
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';

export interface Counts {
  memories: number;
  relationships: number;
  ghosts: number;
  legacyScrolls: number;
  whispers: number;
  shareableKeys: number;
}

export async function countEntries(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
): Promise<Counts> {
  const time = now();
  const counts = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('memory_entries')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .as('memories'),
      eb
        .selectFrom('relationship_entries')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .as('relationships'),
      eb
        .selectFrom('ghost_entries')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('expires_at', '>', time)
        .where(sql<boolean>`(max_reads is null or current_reads < max_reads)`)
        .as('ghosts'),
      eb
        .selectFrom('legacy_scrolls')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('state', '=', 'watching')
        .as('legacyScrolls'),
      eb
        .selectFrom('legacy_scrolls')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('recipient_account_id', '=', accountId)
        .where('state', '=', 'released')
        .where('opened_at', 'is', null)
        .as('whispers'),
      eb
        .selectFrom('shareable_keys')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('opened_at', 'is', null)
        .where('door_hash', 'is not', null)
        .where('expires_at', '>', time)
        .as('shareableKeys'),
    ])
    .executeTakeFirstOrThrow();
  return {
    memories: Number(counts.memories),
    relationships: Number(counts.relationships),
    ghosts: Number(counts.ghosts),
    legacyScrolls: Number(counts.legacyScrolls),
    whispers: Number(counts.whispers),
    shareableKeys: Number(counts.shareableKeys),
  };
}
