// Scrolls of a vault that was destroyed with the wish to release. Those that watch are released, and all that were released
// are kept for those they were written to, without anything that ties them to their author but the name that mails give.
// Dormant ones go.
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';
import { lockScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { VaultsTable } from '../../db/schema/accounts.ts';
import { firstRows, heapOf, newRoom } from '../../db/steps.ts';
import type { Deps } from '../../deps.ts';
import { cancelJobs } from '../../jobs/queue-store.ts';
import { cancelFollowUps, DELIVER } from '../delivery/message-store.ts';
import { hashOfAuthor } from '../delivery/send-limits.ts';
import { releaseScroll } from './release-store.ts';

const messages = heapOf('messages');

/** How many scrolls one step lets go of: each takes some ten statements. */
export const LEFT_AT_ONCE = 20;

/**
 * Lets go of scrolls of a destroyed vault.
 * @param tx a transaction that holds the vault, and these scrolls
 */
export async function leaveScrolls(
  deps: Pick<Deps, 'now' | 'digests'>,
  tx: Database,
  vault: Pick<Selectable<VaultsTable>, 'id' | 'kept_until' | 'texts_permitted'>,
  these: Expression<SqlBool>,
): Promise<void> {
  const left = await tx
    .updateTable('legacy_scrolls')
    .set({
      account_id: null,
      title: '',
      // It stands in mails to its author alone.
      label: null,
      encrypted_scroll_key: null,
      // The seal number stays: the recipient needs it to open the words.
      key_fingerprint: null,
      kept_until: vault.kept_until,
      // Messages that are written later go on counting as one author's, and leave as far as that author's did.
      author_hash: hashOfAuthor(deps.digests, vault.id),
      texts_permitted: vault.texts_permitted,
    })
    .where(these)
    .where('state', '!=', 'dormant')
    // What was sealed to a vault that is gone, or that has deleted it, opens for nobody.
    .where((eb) =>
      eb.or([
        eb('state', '!=', 'released'),
        eb.exists(
          eb
            .selectFrom('scroll_recipients')
            .select('scroll_recipients.id')
            .whereRef('scroll_recipients.scroll_id', '=', 'legacy_scrolls.id')
            .where((q) =>
              q.or([
                q('scroll_recipients.access', '!=', 'vault'),
                q('scroll_recipients.recipient_account_id', 'is not', null),
              ]),
            ),
        ),
      ]),
    )
    .returning(['id', 'state'])
    .execute();
  // The counted clock is locked before any message (docs/architecture.md, "Transactions and locks").
  for (const { id, state } of left) {
    if (state === 'watching') await releaseScroll(deps, tx, id, undefined, vault.id);
  }
  for (const { id } of left) {
    await tx.updateTable('scroll_recipients').set({ account_id: null }).where('scroll_id', '=', id).execute();
    await tx
      .updateTable('messages')
      .set({
        account_id: null,
        author_hash: hashOfAuthor(deps.digests, vault.id),
        texts_permitted: vault.texts_permitted,
      })
      .where('scroll_id', '=', id)
      .where('kind', 'in', ['release', 'reminder'])
      .execute();
  }
  // The others go, and last: that changes their messages as well.
  await tx.deleteFrom('legacy_scrolls').where(these).execute();
}

/** Erases some messages of a destroyed vault. They hold addresses, and their jobs the numbers of messages. @returns whether there were any */
export async function eraseMessages(tx: Database, vault: number): Promise<boolean> {
  const some = await firstRows(tx, messages, sql`account_id = ${vault}`, newRoom());
  if (!some) return false;
  await cancelJobs(tx, DELIVER, sql`(select public_id from messages where ${some.these})`);
  await sql`delete from messages where ${some.these}`.execute(tx);
  return true;
}

/** What was to follow the releases of a destroyed vault's scrolls. @returns whether there was any */
export const cancelReminders = (tx: Database, vault: number): Promise<boolean> =>
  cancelFollowUps(tx, sql`account_id = ${vault}`);

/** How many scrolls of others are changed at a time. */
const FORGOTTEN_AT_ONCE = 200;

/**
 * What others have written for a destroyed vault stays theirs, and reaches nobody any more. Whoever changes several
 * recipients holds their scrolls first, or two of them could wait for each other.
 * @returns whether there was any
 */
export async function forgetRecipient(tx: Database, vault: number): Promise<boolean> {
  const some = await tx
    .selectFrom('scroll_recipients')
    .select('scroll_id')
    .distinct()
    .where('recipient_account_id', '=', vault)
    .orderBy('scroll_id')
    .limit(FORGOTTEN_AT_ONCE)
    .execute();
  if (some.length === 0) return false;
  const ids = some.map(({ scroll_id }) => scroll_id);
  await lockScrolls(tx, (eb) => eb('id', 'in', ids));
  await tx
    .updateTable('scroll_recipients')
    .set({ recipient_account_id: null })
    .where('scroll_id', 'in', ids)
    .where('recipient_account_id', '=', vault)
    .execute();
  return true;
}
