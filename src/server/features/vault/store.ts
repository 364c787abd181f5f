// Destroying a vault: the account's row, and by reference every row that belongs to it. Scrolls that watch may be let go
// instead; then they belong to nobody, and are kept for whoever they were written to.
import { expressionBuilder } from 'kysely';
import { DETACHED_LASTS } from '../../../shared/legacy.ts';
import { holdAccount, holdKey, holdScrolls } from '../../db/hold.ts';
import type { Database } from '../../db/open.ts';
import { askForRewriting } from '../../db/rewrite.ts';
import type { Schema } from '../../db/schema.ts';
import { stopCounting } from '../../db/stop-counting.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { refuseTooMuchLeftBehind } from '../../entitlements/quota-store.ts';
import { houseTime } from '../../switch/house-clock-store.ts';
import { holdLife } from '../../switch/life-store.ts';
import { DELIVER } from '../../switch/message-store.ts';
import { releaseScroll } from '../../switch/release-store.ts';
import { hashOfAuthor } from '../../switch/send-limits.ts';
import { mayText } from '../../switch/text-permission-store.ts';
import { wakeLine } from '../../switch/whisper-room-store.ts';

type Store = Pick<Deps, 'config' | 'db' | 'engine' | 'now' | 'digests'>;

/**
 * Erases an account with everything that is its own: entries, shares, keys, wraps, ways in, sessions. Nothing is left
 * that says it was there.
 * @param scrolls `release` lets go of those that watch, and leaves the released ones to their recipients for a year
 * @throws AppError `left-behind-full`
 */
export async function destroyVault(
  deps: Store,
  { accountId, uid }: { accountId: number; uid: string },
  scrolls: 'disarm' | 'release',
): Promise<void> {
  await transact(deps.db, async (tx) => {
    await holdAccount(tx, accountId);
    await holdKey(tx, accountId);
    await holdLife(tx, accountId);
    await holdScrolls(tx, (eb) =>
      eb.or([eb('account_id', '=', accountId), eb('recipient_account_id', '=', accountId)]),
    );
    await stopCounting(tx, deps.engine, accountId);
    await leaveWhispers(tx, accountId);
    if (scrolls === 'release') await releaseAll(deps, tx, accountId);
    await tx.deleteFrom('legacy_scrolls').where('account_id', '=', accountId).execute();
    await deleteMessages(tx, accountId);
    // Challenges live for minutes and name an account in their payload, if at all.
    await tx.deleteFrom('challenges').where('payload', 'like', `%${uid}%`).execute();
    await tx.deleteFrom('accounts').where('id', '=', accountId).execute();
    await askForRewriting(tx, deps.engine);
  });
  // What waited for room in it is told to its authors now, or within the hour.
  await transact(deps.db, (tx) => wakeLine(tx, deps, accountId));
}

/** What others have written for this vault stays theirs, and reaches nobody any more. */
async function leaveWhispers(tx: Database, accountId: number): Promise<void> {
  await tx
    .updateTable('legacy_scrolls')
    .set({ recipient_account_id: null })
    .where('recipient_account_id', '=', accountId)
    .execute();
}

/** Releases what watches, and takes from every released scroll what ties it to its author. */
async function releaseAll(deps: Store, tx: Database, accountId: number): Promise<void> {
  const mine = expressionBuilder<Schema, 'legacy_scrolls'>()('account_id', '=', accountId);
  const watching = await tx
    .selectFrom('legacy_scrolls')
    .select('id')
    .where(mine)
    .where('state', '=', 'watching')
    .orderBy('id')
    .execute();
  for (const { id } of watching) await releaseScroll(deps, tx, id, mine);
  const detached = await tx
    .updateTable('legacy_scrolls')
    .set({
      account_id: null,
      title: '',
      encrypted_scroll_key: null,
      // The seal number stays: the recipient needs it to open the words.
      key_fingerprint: null,
      kept_until: (await houseTime(tx)) + DETACHED_LASTS,
    })
    .where(mine)
    .where('state', '=', 'released')
    // What was sealed to a vault that is gone, or that has deleted it, opens for nobody.
    .where((eb) => eb.or([eb('access', '!=', 'vault'), eb('recipient_account_id', 'is not', null)]))
    .returning('id')
    .execute();
  if (detached.length === 0) return;
  await refuseTooMuchLeftBehind(tx, deps.config.quota);
  await tx
    .updateTable('messages')
    .set({
      account_id: null,
      // They go on counting as one author's, and leave as far as that author's did.
      author_hash: hashOfAuthor(deps.digests, accountId),
      texts_permitted: (await mayText(deps, tx, accountId)) ? 1 : 0,
    })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'release')
    .where(
      'scroll_id',
      'in',
      detached.map(({ id }) => id),
    )
    .execute();
}

/** Messages hold addresses, and their jobs the numbers of messages. */
async function deleteMessages(tx: Database, accountId: number): Promise<void> {
  const gone = await tx
    .deleteFrom('messages')
    .where('account_id', '=', accountId)
    .returning('public_id')
    .execute();
  for (const { public_id } of gone) {
    await tx.deleteFrom('jobs').where('kind', '=', DELIVER).where('dedupe_key', '=', public_id).execute();
  }
}
