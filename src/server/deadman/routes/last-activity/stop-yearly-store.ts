// An author wants no more of the mails that ask them once a year to rehearse their letters. Nothing else of these letters changes.
import type { ReplyOf } from '../../../../shared/http/call.ts';
import type { confirmations } from '../../../../shared/nouns/switch.ts';
import { lockScrolls } from '../../../db/locks.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';

const accountOf = async ({ db }: Pick<Deps, 'db'>, uid: string) =>
  db.selectFrom('accounts').select('id').where('uid', '=', uid).executeTakeFirst();

/** @param uid the author's. @returns null where there is no such account */
export async function lookAtYearly(
  deps: Pick<Deps, 'db'>,
  uid: string,
): Promise<ReplyOf<typeof confirmations.look> | null> {
  const account = await accountOf(deps, uid);
  if (!account) return null;
  const reminded = await deps.db
    .selectFrom('legacy_scrolls')
    .select('id')
    .where('account_id', '=', account.id)
    .where('rehearse_at', 'is not', null)
    .executeTakeFirst();
  return { kind: 'yearly', state: reminded ? 'open' : 'pressed' };
}

/**
 * Ends them for the letters that are there. One that begins to watch, or is rehearsed, from now on has a year of its own. A second
 * time changes nothing. @returns whether there is such an account
 */
export async function stopYearly(deps: Pick<Deps, 'db'>, uid: string): Promise<boolean> {
  const account = await accountOf(deps, uid);
  if (!account) return false;
  await transact(deps.db, async (tx) => {
    await lockScrolls(tx, (eb) =>
      eb.and([eb('account_id', '=', account.id), eb('rehearse_at', 'is not', null)]),
    );
    await tx
      .updateTable('legacy_scrolls')
      .set({ rehearse_at: null })
      .where('account_id', '=', account.id)
      .where('rehearse_at', 'is not', null)
      .execute();
  });
  return true;
}
