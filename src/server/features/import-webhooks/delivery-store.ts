// Deliveries in the database: whose they are, and each accepted once, in one transaction with the memory that it becomes.
// No statement of this file sees a word of one: what it stores is sealed before.
import { sql } from 'kysely';
import { DELIVERIES_REMEMBERED, type DeliveryRefusal } from '../../../shared/nouns/import-webhooks.ts';
import type { MemoryInput } from '../../../shared/nouns/memory.ts';
import { HOUR, MINUTE } from '../../../shared/time.ts';
import { lockShared } from '../../db/locks.ts';
import { isOrphan } from '../../db/open.ts';
import { heapOf, withEach } from '../../db/steps.ts';
import { transact } from '../../db/transact.ts';
import { ofStandingVault } from '../../db/vault-state.ts';
import type { Deps } from '../../deps.ts';
import { memoryStore } from '../../entries/memories.ts';

type Store = Pick<Deps, 'db' | 'now'>;

/** A webhook that somebody has the address of. */
export interface Addressed {
  id: number;
  accountId: number;
  /** What its secrets are made of; the present one first. */
  salts: string[];
}

/** The webhook at an address; null where there is none, or no longer. */
export async function findAddressed({ db, now }: Store, tokenHash: string): Promise<Addressed | null> {
  const row = await db
    .selectFrom('import_webhooks')
    .select(['id', 'account_id', 'secret_salt', 'old_secret_salt', 'old_secret_until'])
    .where('token_hash', '=', tokenHash)
    .where(ofStandingVault('import_webhooks'))
    .executeTakeFirst();
  if (!row) return null;
  const { old_secret_salt: old, old_secret_until: until } = row;
  const isOldAccepted = old !== null && until !== null && until > now();
  return {
    id: row.id,
    accountId: row.account_id,
    salts: [row.secret_salt, ...(isOldAccepted ? [old] : [])],
  };
}

/** Whether a delivery was accepted before. It spares work; what decides is the statement of `keepDelivery`. */
export async function isKnown({ db }: Store, webhookId: number, deliveryHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('import_deliveries')
    .select('webhook_id')
    .where('webhook_id', '=', webhookId)
    .where('delivery_hash', '=', deliveryHash)
    .executeTakeFirst();
  return row !== undefined;
}

/** For how long a browser that changes the key is waited for; one that was left does not keep deliveries out for good. */
const CHANGING_LASTS = HOUR;

/** Rolls the transaction back. */
class Refused extends Error {
  readonly reason: 'not-found' | 'already-received' | 'key-being-changed' | 'key-changed';
  constructor(reason: Refused['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Accepts a delivery: notes its id, counts it, and keeps the memory.
 * @param memory sealed to the vault's present key, which it names
 * @returns `key-changed` when the vault has another key by now: it is to be sealed again
 * @throws what is too much for the vault's quota
 */
export async function keepDelivery(
  { db, now }: Store,
  { id, accountId }: Addressed,
  deliveryHash: string,
  memory: MemoryInput,
): Promise<'kept' | Refused['reason']> {
  const time = now();
  try {
    await transact(db, async (tx) => {
      // In the order of db/locks.ts: the key comes before what it seals.
      const key = await lockShared(
        tx,
        tx.selectFrom('vault_keys').select('fingerprint').where('account_id', '=', accountId),
      ).executeTakeFirst();
      if (key?.fingerprint !== memory.keyFingerprint) throw new Refused('key-changed');
      const changing = await tx
        .selectFrom('regenerations')
        .select('account_id')
        .where('account_id', '=', accountId)
        .where('begun_at', '>', time - CHANGING_LASTS)
        .executeTakeFirst();
      if (changing) throw new Refused('key-being-changed');
      const counted = await tx
        .updateTable('import_webhooks')
        .set((eb) => ({ received: eb('received', '+', 1), last_used_at: time }))
        .where('id', '=', id)
        .where(ofStandingVault('import_webhooks'))
        .returning('id')
        .executeTakeFirst();
      if (!counted) throw new Refused('not-found');
      const noted = await tx
        .insertInto('import_deliveries')
        .values({
          webhook_id: id,
          delivery_hash: deliveryHash,
          account_id: accountId,
          received_at: time,
        })
        .onConflict((conflict) => conflict.columns(['webhook_id', 'delivery_hash']).doNothing())
        .returning('webhook_id')
        .executeTakeFirst();
      if (!noted) throw new Refused('already-received');
      if (!(await memoryStore.createWithin(tx, accountId, memory, time))) throw new Refused('key-changed');
    });
    return 'kept';
  } catch (error) {
    if (error instanceof Refused) return error.reason;
    // The vault was destroyed meanwhile.
    if (isOrphan(error)) return 'not-found';
    throw error;
  }
}

/** Notes for the owner why a delivery was refused; the same reason once a minute, so that a flood writes little. */
export async function noteRefusal(
  { db, now }: Store,
  { id }: Addressed,
  reason: DeliveryRefusal,
): Promise<void> {
  const time = now();
  await db
    .updateTable('import_webhooks')
    .set({ refused_at: time, refused_reason: reason })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('refused_at', 'is', null),
        eb('refused_at', '<=', time - MINUTE),
        eb('refused_reason', '<>', reason),
      ]),
    )
    .execute();
}

/** Forgets the ids of deliveries that are so old that none of them is believed any more. */
export async function expireDeliveries({ db, now }: Store, signal?: AbortSignal): Promise<void> {
  await withEach(
    db,
    heapOf('import_deliveries', ['received_at', 'webhook_id', 'delivery_hash']),
    sql`received_at <= ${now() - DELIVERIES_REMEMBERED}`,
    (tx, these) => sql`delete from import_deliveries where ${these}`.execute(tx),
    signal,
  );
}
