// The statements of the sweep. Each finds its rows by an index, so that it may run every minute.
import { sql } from 'kysely';
import { GHOST_REMAINS } from '../../shared/ghost.ts';
import { rewriteDatabase } from '../db/rewrite.ts';
import { emptyLog } from '../db/truncate-log.ts';
import type { Deps } from '../deps.ts';

/** What is staged for a new key and never put in place is forgotten after a day. */
const REGENERATION_LASTS = 24 * 60 * 60 * 1000;
/** How long it is remembered what became of a message. */
const MESSAGE_LASTS = 365 * 24 * 60 * 60 * 1000;
/** How many messages of a state one sweep looks at, oldest first. */
const MESSAGES_AT_ONCE = 500;

export async function deleteExpired(deps: Pick<Deps, 'db' | 'engine' | 'now' | 'log'>): Promise<void> {
  const { db } = deps;
  const time = deps.now();
  await db.deleteFrom('sessions').where('expires_at', '<=', time).execute();
  await db.deleteFrom('challenges').where('expires_at', '<=', time).execute();
  await db.deleteFrom('attempts').where('resets_at', '<=', time).execute();
  await db
    .deleteFrom('regenerations')
    .where('begun_at', '<=', time - REGENERATION_LASTS)
    .execute();
  await eraseGhosts(deps, time);
  await db.deleteFrom('final_breaths').where('lease_until', '<=', time).execute();
  await eraseSpentShares(deps, time);
  await eraseDetachedScrolls(deps, time);
  await forgetMessages(deps, time);
  // For vaults that were destroyed while it was too early to rewrite the file once more.
  await rewriteDatabase(deps);
  // Also what others have erased, where a reader held the log just then.
  await emptyLog(deps);
}

/** Words go when they expire. Their row follows a day later, or at once where its owner has read them to the end. */
async function eraseGhosts({ db }: Pick<Deps, 'db'>, time: number): Promise<void> {
  await db
    .deleteFrom('ghost_words')
    .where('ghost_id', 'in', (eb) =>
      eb.selectFrom('ghost_entries').select('id').where('expires_at', '<=', time),
    )
    .execute();
  await db
    .deleteFrom('ghost_entries')
    .where('expires_at', '<=', time)
    .where((eb) =>
      eb.or([eb('expires_at', '<=', time - GHOST_REMAINS), sql<boolean>`current_reads >= max_reads`]),
    )
    .execute();
}

/**
 * Erases the words behind one-time links that nobody can open any more: opened, with the lease over, or expired. The
 * rows stay, for their owner to see.
 */
async function eraseSpentShares({ db }: Pick<Deps, 'db'>, time: number): Promise<void> {
  await db
    .updateTable('shareable_keys')
    .set({ encrypted_content: null, claim_hash: null })
    .where('encrypted_content', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('lease_until', '<=', time),
        eb.and([eb('opened_at', 'is', null), eb('expires_at', '<=', time)]),
      ]),
    )
    .execute();
}

/** Scrolls that a destroyed vault has left behind, once their time is over. What has not left by then never does. */
async function eraseDetachedScrolls({ db }: Pick<Deps, 'db'>, time: number): Promise<void> {
  const over = await db
    .selectFrom('legacy_scrolls')
    .select('id')
    .where('kept_until', '<=', time)
    .limit(MESSAGES_AT_ONCE)
    .execute();
  if (over.length === 0) return;
  const ids = over.map(({ id }) => id);
  await db.deleteFrom('messages').where('scroll_id', 'in', ids).execute();
  await db.deleteFrom('legacy_scrolls').where('id', 'in', ids).where('kept_until', '<=', time).execute();
}

/** Messages that nothing will happen to any more. Numbers ascend with time, so the oldest of each state come first. */
async function forgetMessages({ db }: Pick<Deps, 'db'>, time: number): Promise<void> {
  for (const state of ['sent', 'cancelled', 'failed'] as const) {
    await db
      .deleteFrom('messages')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('messages as oldest')
          .select('oldest.id')
          .where('oldest.state', '=', state)
          .orderBy('oldest.id')
          .limit(MESSAGES_AT_ONCE),
      )
      .where('state', '=', state)
      .where('created_at', '<=', time - MESSAGE_LASTS)
      .execute();
  }
}
