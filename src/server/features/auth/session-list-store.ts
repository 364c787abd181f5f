// The sessions of one account, as their owner sees and ends them.
import type { Session } from '../../../shared/account.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/session.ts';

type Store = Pick<Deps, 'db' | 'now'>;

const iso = (time: number) => new Date(time).toISOString();

export async function listSessions({ db, now }: Store, caller: Caller): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('account_id', '=', caller.accountId)
    .where('expires_at', '>', now())
    .orderBy('seen_at', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.public_id,
    current: row.id_hash === caller.sessionHash,
    signedInBy: row.way,
    device: row.device,
    createdAt: iso(row.created_at),
    seenAt: iso(row.seen_at),
    expiresAt: iso(row.expires_at),
  }));
}

/** Ends one session of an account. False when it has none of that number. */
export async function revokeSession({ db }: Store, accountId: number, publicId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('public_id', '=', publicId)
    .returning('id_hash')
    .executeTakeFirst();
  return row !== undefined;
}

export async function revokeOtherSessions({ db }: Store, caller: Caller): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', caller.accountId)
    .where('id_hash', '<>', caller.sessionHash)
    .execute();
}
