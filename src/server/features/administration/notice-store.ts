// What an administrator tells everybody who has an account here: one row, or none.
import type { MemberNotice } from '../../../shared/nouns/administration.ts';
import { iso } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';

type Store = Pick<Deps, 'db' | 'now'>;

export async function readNotice({ db }: Pick<Store, 'db'>): Promise<MemberNotice | null> {
  const row = await db.selectFrom('member_notice').select(['says', 'since']).executeTakeFirst();
  return row ? { says: row.says, since: iso(row.since) } : null;
}

/** Puts a notice in the place of the one before; an empty text takes it back. */
export async function writeNotice({ db, now }: Store, says: string): Promise<MemberNotice | null> {
  if (says === '') {
    await db.deleteFrom('member_notice').execute();
    return null;
  }
  const row = { says, since: now() };
  await db
    .insertInto('member_notice')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  return { says, since: iso(row.since) };
}
