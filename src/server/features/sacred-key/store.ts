// Sacred keys as their owner has them. The words themselves leave the database in no statement of this file.

import { randomBytes } from 'node:crypto';
import { type Expression, type SqlBool, sql } from 'kysely';
import {
  SHARE_HOURS_DEFAULT,
  type ShareableKey,
  type ShareableKeyInput,
  type ShareEntryType,
} from '../../../shared/nouns/sacred-key.ts';
import { HOUR } from '../../../shared/time.ts';
import type { ChangedRows } from '../../changes/changed-rows.ts';
import { changedIn, type Range } from '../../changes/changes-store.ts';
import { asNumber, asText } from '../../db/casts.ts';
import { compiled } from '../../db/compiled.ts';
import type { Database } from '../../db/open.ts';
import type { ShareableKeysTable } from '../../db/schema/entries.ts';
import { allKinds } from '../../db/sealed-tables.ts';
import { iso, isoOrNull } from '../../db/times.ts';
import { truncateLog } from '../../db/truncate-log.ts';
import type { Deps } from '../../deps.ts';
import { type Asked, type Page, readPage, type Slice } from '../../http/pages.ts';

export type Store = Pick<Deps, 'db' | 'engine' | 'now'>;

export const columns = [
  'id',
  'key_id',
  'entry_type',
  'entry_id',
  'expires_at',
  'created_at',
  'door_hash',
  'stretching',
  'encrypted_secret',
  'seal_id',
  'key_fingerprint',
  'opened_at',
] as const;

type Row = Pick<ShareableKeysTable, Exclude<(typeof columns)[number], 'id'>> & { id: number };

export function toKey(row: Row): ShareableKey {
  return {
    id: row.id,
    keyId: row.key_id,
    entryType: row.entry_type,
    entryId: row.entry_id,
    hasBeenUsed: row.opened_at !== null,
    expiresAt: iso(row.expires_at),
    createdAt: iso(row.created_at),
    openedAt: isoOrNull(row.opened_at),
    sealed: row.door_hash !== null,
    hasPassphrase: row.stretching !== null,
    encryptedSecret: row.encrypted_secret,
    sealId: row.seal_id,
    keyFingerprint: row.key_fingerprint,
  };
}

const size = sql<number>`octet_length(coalesce(encrypted_secret, ''))`.as('size');

/** One page, newest first; lighter than asked for where the rows are large. */
export async function listKeys({ db }: Store, accountId: number, asked: Asked): Promise<Page<ShareableKey>> {
  const slice = ({ limit, before }: Slice) =>
    db
      .selectFrom('shareable_keys')
      .where('account_id', '=', accountId)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(limit);
  const { rows, more } = await readPage(asked, {
    sizes: (part) => slice(part).select(size).execute(),
    rows: (part) => slice(part).select(columns).execute(),
  });
  return { rows: rows.map(toKey), more };
}

const changed = (db: Database, range: Range) =>
  db
    .selectFrom('shareable_keys')
    .where('account_id', '=', range.accountId)
    .where(changedIn('sacred-key', range));

export const changedKeys: ChangedRows<ShareableKey> = {
  sizes: (db, range) => changed(db, range).select('id').select(size).execute(),
  async rows({ db }, range) {
    const rows = await changed(db, range).select(columns).execute();
    return rows.map((row) => ({ id: row.id, row: toKey(row) }));
  },
};

interface Entry {
  accountId: Expression<number>;
  type: Expression<ShareEntryType>;
  id: Expression<number>;
}

const shareable = allKinds.filter(({ shape }) => shape.shareable);

/** A condition: the entry is there, is this account's, was not deleted, and is not locked. */
export function mayBeShared(
  { accountId, type, id }: Entry,
  time: number | Expression<number>,
): Expression<SqlBool> {
  const entries = shareable.map(
    ({ name, table, deleted, locked }) => sql`(${type} = ${name} and exists (
      select 1 from ${sql.table(table)} as entry where entry.id = ${id} and entry.account_id = ${accountId}
      ${deleted ? sql`and not ${deleted(time)}` : sql``}
      ${locked ? sql`and not ${locked(time)}` : sql``}))`,
  );
  return sql<SqlBool>`(${sql.join(entries, sql` or `)})`;
}

export type Unshareable = 'not-found' | 'locked-from-sharing';

/** Only words for a refusal that a statement has already made: what is there was locked. */
export async function whyUnshareable(
  db: Database,
  accountId: number,
  type: ShareEntryType,
  id: number,
  time: number,
): Promise<Unshareable> {
  const kind = shareable.find(({ name }) => name === type);
  if (!kind?.locked) return 'not-found';
  const { rows } = await sql`select 1 from ${sql.table(kind.table)} as entry
    where entry.id = ${id} and entry.account_id = ${accountId}
      ${kind.deleted ? sql`and not ${kind.deleted(time)}` : sql``}`.execute(db);
  return rows.length > 0 ? 'locked-from-sharing' : 'not-found';
}

interface NewKey {
  accountId: number;
  keyId: string;
  type: ShareEntryType;
  entryId: number;
  expiresAt: number;
  time: number;
}

const newKey = compiled<NewKey>()((db, value) => {
  const entry = {
    accountId: asNumber(value('accountId')),
    type: asText(value('type')),
    id: asNumber(value('entryId')),
  };
  const time = asNumber(value('time'));
  return db
    .insertInto('shareable_keys')
    .columns(['account_id', 'key_id', 'entry_type', 'entry_id', 'expires_at', 'created_at'])
    .expression(
      db
        .selectNoFrom([
          entry.accountId.as('account_id'),
          asText(value('keyId')).as('key_id'),
          entry.type.as('entry_type'),
          entry.id.as('entry_id'),
          asNumber(value('expiresAt')).as('expires_at'),
          time.as('created_at'),
        ])
        .where(mayBeShared(entry, time)),
    )
    .returning(columns);
});

/** Reserves a key for an entry. It opens nothing until it is sealed. */
export async function createKey(
  { db, now }: Store,
  accountId: number,
  { entryType: type, entryId, expiresInHours }: ShareableKeyInput,
): Promise<ShareableKey | Unshareable> {
  const time = now();
  const keyId = randomBytes(16).toString('base64url');
  const expiresAt = time + (expiresInHours ?? SHARE_HOURS_DEFAULT) * HOUR;
  const [row] = await newKey(db, { accountId, keyId, type, entryId, expiresAt, time });
  return row ? toKey(row) : whyUnshareable(db, accountId, type, entryId, time);
}

/** Revokes a key, or takes a spent one off the list. Nothing of it stays. */
export async function deleteKey(deps: Store, accountId: number, id: number): Promise<boolean> {
  const row = await deps.db
    .deleteFrom('shareable_keys')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('door_hash')
    .executeTakeFirst();
  if (!row) return false;
  if (row.door_hash !== null) await truncateLog(deps);
  return true;
}
