// The verifying keys of vaults: what a signature made with the twenty-four words is checked against.
import type { Deps } from '../../deps.ts';

type Store = Pick<Deps, 'db'>;

/** The account whose vault has this verifying key. */
export function findByVerifyingKeyHash({ db }: Store, hash: string) {
  return db
    .selectFrom('vault_keys')
    .select(['account_id', 'verifying_key'])
    .where('verifying_key_hash', '=', hash)
    .executeTakeFirst();
}

export function verifyingKeyOf({ db }: Store, accountId: number) {
  return db
    .selectFrom('vault_keys')
    .select('verifying_key')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}
