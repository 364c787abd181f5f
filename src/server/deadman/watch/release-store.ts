// The release: one statement decides it, and the messages to its recipients are written in the same transaction.
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { ofStandingVault } from '../../db/vault-state.ts';
import type { Deps } from '../../deps.ts';
import { countedTime } from '../clock/counted-time-store.ts';
import { cancelMessages } from '../delivery/message-store.ts';
import { releaseToRecipients } from '../delivery/recipient-release-store.ts';
import { hashOfAuthor } from '../delivery/send-limits.ts';
import { tellAuthor } from '../delivery/told-releases-store.ts';
import { unwarn } from '../delivery/warned-scrolls-store.ts';
import { voidLink } from './postponement-store.ts';

type Store = Pick<Deps, 'now' | 'digests'>;

const always: Expression<SqlBool> = expressionBuilder<Schema>().lit(true);

/**
 * Releases a watching scroll, unless its vault was destroyed.
 * @param tx a transaction that holds the life of the scroll's author
 * @param guard what must still be true of the row
 * @param leftBy the destroyed vault that leaves it to its recipients: the row does not name it any more
 * @returns false when it does not watch any more, or the guard fails: then nothing has happened
 */
export async function releaseScroll(
  deps: Store,
  tx: Database,
  id: number,
  guard: Expression<SqlBool> = always,
  leftBy: number | null = null,
): Promise<boolean> {
  const time = deps.now();
  const scroll = await tx
    .updateTable('legacy_scrolls')
    .set({ state: 'released', released_at: time, rehearse_at: null })
    .where('id', '=', id)
    .where('state', '=', sql.lit('watching'))
    .where(guard)
    .where(ofStandingVault('legacy_scrolls'))
    .returning(['account_id', 'author_name', 'watching_since', 'time_zone'])
    .executeTakeFirst();
  if (!scroll) return false;
  // Before a recipient's account is referred to, and before messages: the order of db/locks.ts.
  await tx
    .updateTable('instance_clock')
    .set((eb) => ({ releases: eb('releases', '+', 1) }))
    .execute();
  await unwarn(tx, id);
  await releaseToRecipients(deps, tx, {
    tell: 'at-release',
    scrollId: id,
    accountId: scroll.account_id,
    author: hashOfAuthor(deps.digests, scroll.account_id ?? leftBy),
    authorName: scroll.author_name,
    // Its place was taken when its watch began: accounts that are made afterwards stand behind it.
    inLineSince: scroll.watching_since,
  });
  // The letter itself has come: nobody is told of a rehearsal any more.
  await cancelMessages(tx, { scrollId: id, kind: 'rehearsal' }, ['waiting', 'failed']);
  const { account_id, time_zone } = scroll;
  if (account_id !== null) {
    await voidLink(tx, account_id);
    await tellAuthor(tx, { id, account_id, time_zone }, { time, countedTime: await countedTime(tx) });
  }
  return true;
}
