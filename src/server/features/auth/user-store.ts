// The signed-in user as the contract shows one.
import { type ExpressionBuilder, sql } from 'kysely';
import type { User } from '../../../shared/nouns/account.ts';
import { compiled } from '../../db/compiled.ts';
import type { SignInWay } from '../../db/schema/columns.ts';
import type { Schema } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import { accountGone } from '../../errors.ts';
import { isAdministrator, PROOF_LASTS } from '../../http/session.ts';

type Store = Pick<Deps, 'db' | 'config'>;

const iso = (time: number) => new Date(time).toISOString();
const isoOrNull = (time: number | null) => (time === null ? null : iso(time));

const userRow = compiled<{ accountId: number }>()((db, value) =>
  db
    .selectFrom('accounts')
    .leftJoin('vault_keys', 'vault_keys.account_id', 'accounts.id')
    .select((eb) => [
      'accounts.uid',
      'accounts.name',
      'accounts.email',
      'accounts.first_name',
      'accounts.last_name',
      'accounts.is_admin',
      'accounts.oidc_subject',
      'accounts.onboarded_at',
      'accounts.words_kept_at',
      'vault_keys.fingerprint',
      eb
        .selectFrom('passkeys')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('passkeys.account_id', '=', 'accounts.id')
        .as('passkey_count'),
      eb
        .selectFrom('legacy_scrolls')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('legacy_scrolls.account_id', '=', 'accounts.id')
        .where('legacy_scrolls.state', '=', sql.lit('watching'))
        .as('watching_scrolls'),
      // One that never began, or is over, is nothing to manage.
      eb
        .selectFrom('subscriptions')
        .select('subscriptions.subscription_id')
        .whereRef('subscriptions.account_id', '=', 'accounts.id')
        .where('subscriptions.status', 'not in', ['incomplete', 'incomplete_expired', 'canceled'])
        .as('subscription_id'),
      countWraps(eb, 'passkey').as('passkey_wraps'),
      countWraps(eb, 'passphrase').as('passphrase_wraps'),
    ])
    .where('accounts.id', '=', value('accountId')),
);

/**
 * The user as the contract shows one.
 * @param session what the caller's session says of itself
 * @throws AppError `not-signed-in` when the account was destroyed meanwhile
 */
export async function loadUser(
  { db, config }: Store,
  accountId: number,
  session: { way: SignInWay; provedAt: number },
): Promise<User> {
  const [row] = await userRow(db, { accountId });
  if (!row) throw accountGone();
  return {
    id: row.uid,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    stripeSubscriptionId: row.subscription_id,
    onboardingComplete: row.onboarded_at !== null,
    name: row.name,
    isAdmin: isAdministrator(config, row),
    signedInBy: session.way,
    provedUntil: iso(session.provedAt + PROOF_LASTS),
    keyFingerprint: row.fingerprint,
    wordsKeptAt: isoOrNull(row.words_kept_at),
    passkeyCount: Number(row.passkey_count ?? 0),
    recoveryPasskeys: Number(row.passkey_wraps ?? 0),
    recoveryPassphrase: Number(row.passphrase_wraps ?? 0) > 0,
    watchingScrolls: Number(row.watching_scrolls ?? 0),
  };
}

/** Wraps of an older key open nothing any more and are not counted. */
function countWraps(
  eb: ExpressionBuilder<Schema & { vault_keys: Schema['vault_keys'] }, 'accounts'>,
  method: 'passkey' | 'passphrase',
) {
  return eb
    .selectFrom('wraps')
    .innerJoin('vault_keys as held', (join) =>
      join
        .onRef('held.account_id', '=', 'wraps.account_id')
        .onRef('held.fingerprint', '=', 'wraps.fingerprint'),
    )
    .select((count) => count.fn.countAll<number>().as('count'))
    .whereRef('wraps.account_id', '=', 'accounts.id')
    .where('wraps.method', '=', method);
}
