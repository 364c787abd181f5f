// Wraps of vault keys: one for each recovery method to a key. The server cannot open any.
import type { WrapRecord } from '../../shared/nouns/vault-key.ts';
import type { Database } from '../db/open.ts';
import type { WrapsTable } from '../db/schema/accounts.ts';

/** What tells two wraps of one method apart. */
export const referenceOf = (wrap: WrapRecord) => (wrap.method === 'passkey' ? wrap.params.credentialId : '');

const rowOf = (accountId: number, fingerprint: string, wrap: WrapRecord, time: number) => ({
  account_id: accountId,
  fingerprint,
  method: wrap.method,
  reference: referenceOf(wrap),
  body: JSON.stringify(wrap),
  created_at: time,
});

/** @param fingerprint of the key that is wrapped; `time` in epoch milliseconds */
export async function insertWraps(
  tx: Database,
  accountId: number,
  { fingerprint, wraps }: { fingerprint: string; wraps: readonly WrapRecord[] },
  time: number,
): Promise<void> {
  for (const wrap of wraps) {
    await tx
      .insertInto('wraps')
      .values(rowOf(accountId, fingerprint, wrap, time))
      .execute();
  }
}

/** Files a wrap; one that was there for the same way is replaced. @returns its number */
export async function putWrap(
  tx: Database,
  accountId: number,
  { fingerprint, wrap }: { fingerprint: string; wrap: WrapRecord },
  time: number,
): Promise<number> {
  const row = await tx
    .insertInto('wraps')
    .values(rowOf(accountId, fingerprint, wrap, time))
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'method', 'reference']).doUpdateSet((eb) => ({
        fingerprint: eb.ref('excluded.fingerprint'),
        body: eb.ref('excluded.body'),
        created_at: eb.ref('excluded.created_at'),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Deletes wraps of an account: those of a method, or the one of a reference, or all. */
export async function deleteWraps(
  tx: Database,
  accountId: number,
  method?: WrapsTable['method'],
  reference?: string,
): Promise<void> {
  let mine = tx.deleteFrom('wraps').where('account_id', '=', accountId);
  if (method !== undefined) mine = mine.where('method', '=', method);
  if (reference !== undefined) mine = mine.where('reference', '=', reference);
  await mine.execute();
}
