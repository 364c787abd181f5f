// The accounts of this server, for its administrator: who they are called, what they store, when somebody was last there.
import type { KeptAccount } from '../../../shared/nouns/administration.ts';
import type { Database } from '../../db/open.ts';
import { iso, isoOrNull } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { type Asked, type Page, readPage } from '../../http/pages.ts';
import { isAdministrator } from '../../http/session.ts';

type Store = Pick<Deps, 'db' | 'config'>;

const accounts = (db: Database) =>
  db
    .selectFrom('accounts')
    .leftJoin('usage', 'usage.account_id', 'accounts.id')
    .leftJoin('last_activity', 'last_activity.account_id', 'accounts.id')
    .select([
      'accounts.id',
      'accounts.uid',
      'accounts.name',
      'accounts.first_name',
      'accounts.last_name',
      'accounts.email',
      'accounts.is_admin',
      'accounts.oidc_subject',
      'accounts.created_at',
      'usage.bytes',
      'last_activity.seen_at',
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>;

const show = (config: Deps['config'], row: Row): KeptAccount => ({
  id: row.id,
  accountId: row.uid,
  name: row.name ?? ([row.first_name, row.last_name].filter((part) => part).join(' ') || (row.email ?? null)),
  isAdmin: isAdministrator(config, row),
  bytes: Number(row.bytes ?? 0),
  createdAt: iso(row.created_at),
  lastSeen: isoOrNull(row.seen_at),
});

/** One page of the accounts, newest first. */
export async function listAccounts({ db, config }: Store, asked: Asked): Promise<Page<KeptAccount>> {
  const { rows, more } = await readPage(asked, {
    rows: ({ limit, before }) =>
      accounts(db).where('accounts.id', '<', before).orderBy('accounts.id', 'desc').limit(limit).execute(),
  });
  return { rows: rows.map((row) => show(config, row)), more };
}

/** The account of a number, and whether it looks after this server; null where there is none. */
export async function findAccount(
  { db, config }: Store,
  uid: string,
): Promise<{ accountId: number; uid: string; isAdmin: boolean } | null> {
  const row = await accounts(db).where('accounts.uid', '=', uid).executeTakeFirst();
  return row ? { accountId: row.id, uid: row.uid, isAdmin: isAdministrator(config, row) } : null;
}
