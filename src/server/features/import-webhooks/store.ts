// Webhooks as their owner has them: listed, made, given another secret, revoked. No row has a token or a secret: a hash
// of the one, and of the other what the instance secret makes it from.
import { sql } from 'kysely';
import {
  type ImportWebhook,
  type ImportWebhookInput,
  OLD_SECRET_LASTS,
  WEBHOOKS_MAX,
} from '../../../shared/nouns/import-webhooks.ts';
import type { ChangedRows } from '../../changes/changed-rows.ts';
import { changedIn } from '../../changes/changes-store.ts';
import { asNumber, asText } from '../../db/casts.ts';
import { createdUnderTheKey } from '../../db/key-guard.ts';
import { lockAccount } from '../../db/locks.ts';
import { type Database, isUniqueViolation } from '../../db/open.ts';
import type { ImportWebhooksTable } from '../../db/schema/entries.ts';
import { iso, isoOrNull } from '../../db/times.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { accountGone } from '../../errors.ts';
import { logActivity } from '../../http/activity-store.ts';
import type { Caller } from '../../http/session.ts';
import { rememberRevoked } from './revoked-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'log'>;
type Owner = Pick<Caller, 'accountId' | 'device'>;

const columns = [
  'id',
  'name',
  'seal_id',
  'key_fingerprint',
  'received',
  'last_used_at',
  'old_secret_until',
  'refused_at',
  'refused_reason',
  'created_at',
] as const;
type Row = Pick<ImportWebhooksTable, Exclude<(typeof columns)[number], 'id' | 'received'>> & {
  id: number;
  received: number;
};

function toWebhook(row: Row, time: number): ImportWebhook {
  const { refused_at: at, refused_reason: reason, old_secret_until: until } = row;
  return {
    id: row.id,
    name: row.name,
    createdAt: iso(row.created_at),
    lastUsedAt: isoOrNull(row.last_used_at),
    received: row.received,
    oldSecretUntil: until !== null && until > time ? iso(until) : null,
    lastRefusal: at === null || reason === null ? null : { at: iso(at), reason },
    sealId: row.seal_id,
    keyFingerprint: row.key_fingerprint,
  };
}

/** All of them, newest first. */
export async function listWebhooks({ db, now }: Store, accountId: number): Promise<ImportWebhook[]> {
  const rows = await db
    .selectFrom('import_webhooks')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => toWebhook(row, now()));
}

export const changedWebhooks: ChangedRows<ImportWebhook> = {
  async rows({ db, now }, range) {
    const rows = await db
      .selectFrom('import_webhooks')
      .select(columns)
      .where('account_id', '=', range.accountId)
      .where(changedIn('webhook', range))
      .execute();
    return rows.map((row) => ({ id: row.id, row: toWebhook(row, now()) }));
  },
};

/** What is kept of a new webhook's address and secret. */
export interface Keeping {
  tokenHash: string;
  secretSalt: string;
}

/**
 * Keeps a webhook.
 * @returns `webhooks-full` where there are as many as may be, `key-changed` when its name was sealed under another key
 *   than the vault's, `seal-reused` when its seal belongs to another
 */
export async function insertWebhook(
  deps: Store,
  { accountId, device }: Owner,
  { name, sealId = null, keyFingerprint = null }: ImportWebhookInput,
  { tokenHash, secretSalt }: Keeping,
): Promise<ImportWebhook | 'webhooks-full' | 'key-changed' | 'seal-reused'> {
  const time = deps.now();
  try {
    return await transact(deps.db, async (tx) => {
      // One after the other, or two that are made at once would not count each other.
      if (!(await lockAccount(tx, accountId))) throw accountGone();
      if ((await countWebhooks(tx, accountId)) >= WEBHOOKS_MAX) return 'webhooks-full';
      const row = await tx
        .insertInto('import_webhooks')
        .columns([
          'account_id',
          'name',
          'seal_id',
          'key_fingerprint',
          'token_hash',
          'secret_salt',
          'created_at',
        ])
        .expression(
          tx
            .selectNoFrom([
              asNumber(sql.val(accountId)).as('account_id'),
              asText(sql.val(name)).as('name'),
              asText(sql.val(sealId)).as('seal_id'),
              asText(sql.val(keyFingerprint)).as('key_fingerprint'),
              asText(sql.val(tokenHash)).as('token_hash'),
              asText(sql.val(secretSalt)).as('secret_salt'),
              asNumber(sql.val(time)).as('created_at'),
            ])
            .where(createdUnderTheKey(tx, asNumber(sql.val(accountId)), asText(sql.val(keyFingerprint)))),
        )
        .returning(columns)
        .executeTakeFirst();
      if (!row) return 'key-changed';
      await logActivity(deps, tx, accountId, { kind: 'webhook-made', device });
      return toWebhook(row, time);
    });
  } catch (error) {
    if (isUniqueViolation(error)) return 'seal-reused';
    throw error;
  }
}

async function countWebhooks(tx: Database, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('import_webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Gives a webhook another secret. One that was old already ends. @returns null where there is no such webhook */
export async function replaceSecret(
  deps: Store,
  { accountId, device }: Owner,
  id: number,
  { secretSalt, oldStays }: { secretSalt: string; oldStays: boolean },
): Promise<ImportWebhook | null> {
  const time = deps.now();
  return transact(deps.db, async (tx) => {
    const row = await tx
      .updateTable('import_webhooks')
      .set({
        secret_salt: secretSalt,
        // What stood there before this statement.
        old_secret_salt: oldStays ? sql<string>`secret_salt` : null,
        old_secret_until: oldStays ? time + OLD_SECRET_LASTS : null,
      })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning(columns)
      .executeTakeFirst();
    if (!row) return null;
    await logActivity(deps, tx, accountId, { kind: 'webhook-secret-replaced', device });
    return toWebhook(row, time);
  });
}

/** @returns false where there is no such webhook */
export async function revokeWebhook(deps: Store, { accountId, device }: Owner, id: number): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    const gone = await tx
      .deleteFrom('import_webhooks')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning('token_hash')
      .executeTakeFirst();
    if (!gone) return false;
    await rememberRevoked(tx, { tokenHash: gone.token_hash, accountId, at: deps.now() });
    await logActivity(deps, tx, accountId, { kind: 'webhook-revoked', device });
    return true;
  });
}
