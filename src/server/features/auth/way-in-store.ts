// The condition that keeps everybody from locking themselves out.
import { expressionBuilder } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';

/** A condition: something else than what `except` names still signs this account in. */
export function anotherWayIn(db: Deps['db'], accountId: number, except: { passkey: string } | 'passphrase') {
  const owner = db.selectFrom('accounts as owner').select('owner.id').where('owner.id', '=', accountId);
  return expressionBuilder<Schema>().exists(
    owner.where((eb) =>
      eb.or([
        ...(except === 'passphrase' ? [] : [eb('owner.auth_hash', 'is not', null)]),
        eb('owner.oidc_subject', 'is not', null),
        eb('owner.words_kept_at', 'is not', null),
        eb.exists(
          eb
            .selectFrom('passkeys as other')
            .select('other.id')
            .whereRef('other.account_id', '=', 'owner.id')
            .where('other.id', '<>', except === 'passphrase' ? '' : except.passkey),
        ),
      ]),
    ),
  );
}
