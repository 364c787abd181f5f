// The statements of sessions. A session is found by the hash of its cookie and by nothing else.
import { sql } from 'kysely';
import { SESSIONS_MAX } from '../../shared/nouns/session.ts';
import { compiled } from '../db/compiled.ts';
import type { Database } from '../db/open.ts';
import type { SignInWay } from '../db/schema/columns.ts';
import { retried } from '../db/transact.ts';
import type { Deps } from '../deps.ts';
import { recordSignIn } from './activity-store.ts';

type Store = Pick<Deps, 'db' | 'now'>;

export interface NewSession {
  idHash: string;
  publicId: string;
  accountId: number;
  way: SignInWay;
  device: string;
  provedAt: number;
  expiresAt: number;
}

/**
 * Begins a session, and ends the least recently used ones of an account that has as many as it may have.
 * @param tx holds a row of the account, so that two sign-ins cannot both count the same sessions
 */
export async function insertSession(
  deps: Pick<Deps, 'now' | 'log'>,
  tx: Database,
  session: NewSession,
): Promise<void> {
  const time = deps.now();
  await endLeastUsed(tx, session.accountId, time);
  await tx
    .insertInto('sessions')
    .values({
      id_hash: session.idHash,
      public_id: session.publicId,
      account_id: session.accountId,
      way: session.way,
      device: session.device,
      created_at: time,
      seen_at: time,
      expires_at: session.expiresAt,
      proved_at: session.provedAt,
    })
    .execute();
  await recordSignIn(deps, tx, session.accountId, session);
}

/** Makes room for one more session; expired ones go first. */
async function endLeastUsed(tx: Database, accountId: number, time: number): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('id_hash', 'in', (eb) =>
      eb
        .selectFrom('sessions as mine')
        .select('mine.id_hash')
        .where('mine.account_id', '=', accountId)
        .orderBy(sql`case when mine.expires_at > ${time} then 0 else 1 end`)
        .orderBy('mine.seen_at', 'desc')
        .orderBy('mine.created_at', 'desc')
        .orderBy('mine.id_hash')
        .limit(Number.MAX_SAFE_INTEGER)
        .offset(SESSIONS_MAX - 1),
    )
    .execute();
}

const liveSession = compiled<{ idHash: string; time: number }>()((db, value) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select([
      'sessions.way',
      'sessions.device',
      'sessions.created_at',
      'sessions.seen_at',
      'sessions.proved_at',
      'accounts.id',
      'accounts.uid',
      'accounts.is_admin',
      'accounts.oidc_subject',
      'accounts.onboarded_at',
    ])
    .where('sessions.id_hash', '=', value('idHash'))
    .where('sessions.expires_at', '>', value('time')),
);

/** A session that has not expired, with what every request wants to know of its account. */
export async function findSession({ db, now }: Store, idHash: string) {
  const [row] = await liveSession(db, { idHash, time: now() });
  return row;
}

/** Writes down that a session is in use, and rolls its expiry forward. */
export async function rollSession({ db, now }: Store, idHash: string, expiresAt: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ seen_at: now(), expires_at: expiresAt })
    .where('id_hash', '=', idHash)
    .execute();
}

export async function deleteSession({ db }: Store, idHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
}

/** Deletes sessions that are over. */
export async function expireSessions({ db, now }: Store): Promise<void> {
  // Several servers sweep at the same time, each in an order of its own.
  await retried(db, () => db.deleteFrom('sessions').where('expires_at', '<=', now()).execute());
}

/** Ends every session of an account but one. @param db the database, or a transaction that goes on */
export async function endOtherSessions(
  db: Database,
  { accountId, sessionHash }: { accountId: number; sessionHash: string },
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id_hash', '<>', sessionHash)
    .execute();
}

/** Writes down when the person behind a session last proved who they are. */
export async function setProvedAt(tx: Database, idHash: string, provedAt: number): Promise<void> {
  await tx.updateTable('sessions').set({ proved_at: provedAt }).where('id_hash', '=', idHash).execute();
}
