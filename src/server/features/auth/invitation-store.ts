// Invitations as the administrator sees them: made, listed, revoked. Only the hash of a secret is kept.

import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { INVITATIONS_OPEN_MAX, type Invitation } from '../../../shared/nouns/invitations.ts';
import { DAY } from '../../../shared/time.ts';
import type { InvitationsTable } from '../../db/schema/accounts.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { logActivity } from '../../http/activity-store.ts';
import type { Caller } from '../../http/session.ts';

type Store = Pick<Deps, 'db' | 'now' | 'log'>;
type Admin = Pick<Caller, 'accountId' | 'device'>;

/** How many the list shows of those that are not open any more. */
const LISTED = 200;
/** For how long the list shows what became of an invitation. */
const REMAINS = 90 * DAY;

/** A condition: somebody could still use it. */
const isOpen = (time: number) => (eb: ExpressionBuilder<Schema, 'invitations'>) =>
  eb.and([eb('used_at', 'is', null), eb('revoked_at', 'is', null), eb('expires_at', '>', time)]);

const iso = (time: number) => new Date(time).toISOString();

function asInvitation(row: Selectable<InvitationsTable>, time: number): Invitation {
  const ended = row.used_at ?? row.revoked_at;
  const open = row.expires_at > time ? 'unused' : 'expired';
  return {
    id: row.id,
    invited: row.invited,
    state: row.used_at !== null ? 'used' : row.revoked_at !== null ? 'revoked' : open,
    createdAt: iso(row.created_at),
    expiresAt: iso(row.expires_at),
    endedAt: ended === null ? null : iso(ended),
  };
}

/** @returns null where as many are open as may be */
export async function insertInvitation(
  deps: Store,
  { accountId, device }: Admin,
  { secretHash, lasts, invited }: { secretHash: string; lasts: number; invited: string },
): Promise<Invitation | null> {
  const time = deps.now();
  return transact(deps.db, async (tx) => {
    // One after the other, or two that are made at once would not count each other.
    await tx.updateTable('server_settings').set({ id: sql`id` }).execute();
    const { open } = await tx
      .selectFrom('invitations')
      .select((eb) => eb.fn.countAll<number>().as('open'))
      .where(isOpen(time))
      .executeTakeFirstOrThrow();
    if (Number(open) >= INVITATIONS_OPEN_MAX) return null;
    const row = await tx
      .insertInto('invitations')
      .values({
        secret_hash: secretHash,
        invited,
        created_at: time,
        expires_at: time + lasts,
        used_at: null,
        revoked_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await logActivity(deps, tx, accountId, { kind: 'invitation-made', device });
    return asInvitation(row, time);
  });
}

export async function listInvitations({ db, now }: Store): Promise<Invitation[]> {
  const time = now();
  const newest = db.selectFrom('invitations').selectAll().orderBy('id', 'desc');
  const open = await newest.where(isOpen(time)).execute();
  const ended = await newest
    .where((eb) => eb.not(isOpen(time)(eb)))
    .limit(LISTED)
    .execute();
  return [...open, ...ended].map((row) => asInvitation(row, time));
}

/** Revokes an invitation that nobody has used. Revoking one twice changes nothing. */
export async function revokeInvitation(
  deps: Store,
  { accountId, device }: Admin,
  id: number,
): Promise<'revoked' | 'invitation-used' | 'not-found'> {
  return transact(deps.db, async (tx) => {
    const revoked = await tx
      .updateTable('invitations')
      .set({ revoked_at: deps.now() })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (revoked) {
      await logActivity(deps, tx, accountId, { kind: 'invitation-revoked', device });
      return 'revoked';
    }
    const ended = await tx
      .selectFrom('invitations')
      .select('used_at')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!ended) return 'not-found';
    return ended.used_at === null ? 'revoked' : 'invitation-used';
  });
}

/** Revokes every invitation that somebody could still use. @returns how many those were */
export async function revokeInvitations(deps: Store, { accountId, device }: Admin): Promise<number> {
  const time = deps.now();
  return transact(deps.db, async (tx) => {
    const revoked = await tx
      .updateTable('invitations')
      .set({ revoked_at: time })
      .where(isOpen(time))
      .returning('id')
      .execute();
    if (revoked.length > 0) await logActivity(deps, tx, accountId, { kind: 'invitations-revoked', device });
    return revoked.length;
  });
}

export async function expireInvitations({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('expires_at', '<=', now() - REMAINS)
    .execute();
}
