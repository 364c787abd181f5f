// The statements of sessions. A session is found by the hash of its cookie and by nothing else.
import { compiled } from '../db/compiled.ts';
import type { SignInWay } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { proveLife } from '../switch/life-store.ts';

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

/** Begins a session. Whoever begins one lives. */
export async function insertSession(deps: Store & Pick<Deps, 'rules'>, session: NewSession): Promise<void> {
  const time = deps.now();
  await deps.db.transaction().execute(async (tx) => {
    // Life first: whoever destroys the vault holds it before the account that a session refers to.
    await proveLife(deps, tx, session.accountId, 'person');
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
  });
}

const liveSession = compiled<{ idHash: string; time: number }>()((db, value) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select([
      'sessions.way',
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

/** Whoever proves afresh who they are lives. */
export async function setProvedAt(
  deps: Store & Pick<Deps, 'rules'>,
  { idHash, accountId }: Pick<NewSession, 'idHash' | 'accountId'>,
  provedAt: number,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await proveLife(deps, tx, accountId, 'person');
    await tx.updateTable('sessions').set({ proved_at: provedAt }).where('id_hash', '=', idHash).execute();
  });
}
