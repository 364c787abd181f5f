// Sacred keys as their owner has them. The words themselves leave the database in no statement of this file.

import { randomBytes } from 'node:crypto';
import { type Expression, type SqlBool, sql } from 'kysely';
import {
  type SealInput,
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
import { sealedUnderTheKey } from '../../db/key-guard.ts';
import { holdAccount } from '../../db/locks.ts';
import { type Database, isUniqueViolation } from '../../db/open.ts';
import { padToOverflow } from '../../db/overflow.ts';
import type { ShareableKeysTable } from '../../db/schema/entries.ts';
import { allKinds } from '../../db/sealed-tables.ts';
import { iso, isoOrNull } from '../../db/times.ts';
import { transact } from '../../db/transact.ts';
import { truncateLog } from '../../db/truncate-log.ts';
import type { Deps } from '../../deps.ts';
import { type Asked, type Page, readPage, type Slice } from '../../http/pages.ts';

type Store = Pick<Deps, 'db' | 'engine' | 'now'>;

const columns = [
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

function toKey(row: Row): ShareableKey {
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
function mayBeShared({ accountId, type, id }: Entry, time: number | Expression<number>): Expression<SqlBool> {
  const entries = shareable.map(
    ({ name, table, deleted, locked }) => sql`(${type} = ${name} and exists (
      select 1 from ${sql.table(table)} as entry where entry.id = ${id} and entry.account_id = ${accountId}
      ${deleted ? sql`and not ${deleted(time)}` : sql``}
      ${locked ? sql`and not ${locked(time)}` : sql``}))`,
  );
  return sql<SqlBool>`(${sql.join(entries, sql` or `)})`;
}

type Unshareable = 'not-found' | 'locked-from-sharing';

/** Only words for a refusal that a statement has already made: what is there was locked. */
async function whyUnshareable(
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

/** What a seal writes. Sent once more, it is recognised by the very same. */
function sealedColumns(input: SealInput) {
  return {
    encrypted_content: padToOverflow(input.encryptedContent),
    door_hash: input.doorHash,
    claim_hash: input.claimHash,
    stretching: input.stretching && JSON.stringify(input.stretching),
    encrypted_secret: input.encryptedSecret,
    seal_id: input.sealId ?? null,
    key_fingerprint: input.keyFingerprint ?? null,
  };
}

export type SealOutcome =
  | ShareableKey
  | Unshareable
  | 'already-sealed'
  | 'share-expired'
  | 'seal-reused'
  | 'key-changed';

interface NewSeal extends ReturnType<typeof sealedColumns> {
  id: number;
  accountId: number;
  time: number;
}

const newSeal = compiled<NewSeal>()((db, value) =>
  db
    .updateTable('shareable_keys')
    .set({
      encrypted_content: value('encrypted_content'),
      door_hash: value('door_hash'),
      claim_hash: value('claim_hash'),
      stretching: value('stretching'),
      encrypted_secret: value('encrypted_secret'),
      seal_id: value('seal_id'),
      key_fingerprint: value('key_fingerprint'),
    })
    .where('shareable_keys.id', '=', value('id'))
    .where('shareable_keys.account_id', '=', value('accountId'))
    .where('door_hash', 'is', null)
    .where('expires_at', '>', value('time'))
    .where(
      mayBeShared(
        {
          accountId: sql.ref<number>('shareable_keys.account_id'),
          type: sql.ref<ShareEntryType>('shareable_keys.entry_type'),
          id: sql.ref<number>('shareable_keys.entry_id'),
        },
        value('time'),
      ),
    )
    .where(sealedUnderTheKey(db, value('accountId'), value('key_fingerprint')))
    .returning(columns),
);

/**
 * Seals a reserved key, once: from now on its link opens. The statement itself holds every condition. Sending the very
 * same again, as after a lost answer, changes nothing and succeeds.
 */
export async function sealKey(
  { db, now }: Store,
  accountId: number,
  id: number,
  input: SealInput,
): Promise<SealOutcome> {
  const time = now();
  const values = sealedColumns(input);
  try {
    const [row] = await transact(db, async (tx) => {
      // Nobody replaces the key meanwhile: until now there was no secret that would have been missed.
      await holdAccount(tx, accountId);
      return newSeal(tx, { ...values, id, accountId, time });
    });
    return row ? toKey(row) : await whyUnsealed(db, accountId, id, values, time);
  } catch (error) {
    if (isUniqueViolation(error)) return 'seal-reused';
    throw error;
  }
}

/** Only words for a refusal that the statement above has already made, or the row that an earlier try has sealed. */
async function whyUnsealed(
  db: Database,
  accountId: number,
  id: number,
  values: ReturnType<typeof sealedColumns>,
  time: number,
): Promise<SealOutcome> {
  const row = await db
    .selectFrom('shareable_keys')
    .select(columns)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return 'not-found';
  if (row.door_hash !== null) {
    let same = db.selectFrom('shareable_keys').select('id').where('id', '=', id);
    for (const [column, value] of Object.entries(values)) {
      same = same.where(column as keyof typeof values, 'is not distinct from', value);
    }
    return (await same.executeTakeFirst()) ? toKey(row) : 'already-sealed';
  }
  if (row.expires_at <= time) return 'share-expired';
  const { entry_type: type, entry_id: entryId } = row;
  const entry = {
    accountId: asNumber(sql.val(accountId)),
    type: asText(sql.val(type)),
    id: asNumber(sql.val(entryId)),
  };
  const shareable = await db
    .selectNoFrom(sql<number>`1`.as('one'))
    .where(mayBeShared(entry, time))
    .executeTakeFirst();
  return shareable ? 'key-changed' : whyUnshareable(db, accountId, type, entryId, time);
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
