// Scrolls of a vault that was destroyed with the wish to release. Those that watch are released, and all that were released
// are kept for whoever they were written to, without anything that ties them to their author. Dormant ones go.
import type { Expression, Selectable, SqlBool } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { VaultsTable } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import { hashOfAuthor } from '../delivery/send-limits.ts';
import { releaseScroll } from './release-store.ts';

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
      encrypted_scroll_key: null,
      // The seal number stays: the recipient needs it to open the words.
      key_fingerprint: null,
      kept_until: vault.kept_until,
    })
    .where(these)
    .where('state', '!=', 'dormant')
    // What was sealed to a vault that is gone, or that has deleted it, opens for nobody.
    .where((eb) =>
      eb.or([
        eb('state', '!=', 'released'),
        eb('access', '!=', 'vault'),
        eb('recipient_account_id', 'is not', null),
      ]),
    )
    .returning(['id', 'state'])
    .execute();
  // The counted clock is locked before any message (docs/decisions/0075).
  for (const { id, state } of left) {
    if (state === 'watching') await releaseScroll(deps, tx, id, undefined, vault.id);
  }
  for (const { id } of left) {
    await tx
      .updateTable('messages')
      .set({
        account_id: null,
        // They go on counting as one author's, and leave as far as that author's did.
        author_hash: hashOfAuthor(deps.digests, vault.id),
        texts_permitted: vault.texts_permitted,
      })
      .where('scroll_id', '=', id)
      .where('kind', '=', 'release')
      .execute();
  } // The others go, and last: that changes their messages as well.
  await tx.deleteFrom('legacy_scrolls').where(these).execute();
}
