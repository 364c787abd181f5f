// The sessions of one account, as their owner sees and ends them.
import type { Session } from '../../shared/nouns/session.ts';
import { lockAccount } from '../db/locks.ts';
import { transact } from '../db/transact.ts';
import type { Deps } from '../deps.ts';
import { logActivity } from './activity-store.ts';
import type { Caller } from './session.ts';
import { endOtherSessions } from './session-store.ts';

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
export async function revokeSession(
  deps: Store & Pick<Deps, 'log'>,
  { accountId, device }: Caller,
  publicId: string,
): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    const row = await tx
      .deleteFrom('sessions')
      .where('account_id', '=', accountId)
      .where('public_id', '=', publicId)
      .returning('id_hash')
      .executeTakeFirst();
    if (row) await logActivity(deps, tx, accountId, { kind: 'session-ended', device });
    return row !== undefined;
  });
}

export async function revokeOtherSessions(deps: Store & Pick<Deps, 'log'>, caller: Caller): Promise<void> {
  await transact(deps.db, async (tx) => {
    await lockAccount(tx, caller.accountId);
    await endOtherSessions(tx, caller);
    await logActivity(deps, tx, caller.accountId, { kind: 'other-sessions-ended', device: caller.device });
  });
}
