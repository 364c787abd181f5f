// Memories in the database. A locked memory's ciphertext leaves it in no statement of this file.
import { type Expression, sql } from 'kysely';
import { type Memory, type MemoryInput, type MemoryPatch, readLock } from '../../../shared/entry.ts';
import { asNumber, asText } from '../../db/casts.ts';
import { compiled } from '../../db/compiled.ts';
import {
  createdUnderTheKey,
  isAnotherKey,
  sealedUnderTheKey,
  standsUnderItsKey,
} from '../../db/key-guard.ts';
import { epoch, iso, isoOrNull } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { type Asked, type Page, readPage } from '../../http/pages.ts';

type Store = Pick<Deps, 'db' | 'now'>;

interface Row {
  id: number;
  title: string;
  readable_content: string | null;
  time_lock_until: number | null;
  seal_id: string | null;
  key_fingerprint: string | null;
  version: number;
  created_at: number;
  updated_at: number;
}

const plainColumns = [
  'id',
  'title',
  'time_lock_until',
  'seal_id',
  'key_fingerprint',
  'version',
  'created_at',
  'updated_at',
] as const;

/** The ciphertext, or null while the lock holds: decided in the statement, so that it is never even read. */
function readableContent(now: number | Expression<number>) {
  return sql<string | null>`case when time_lock_until > ${now} then null else encrypted_content end`.as(
    'readable_content',
  );
}

function toMemory(row: Row): Memory {
  return {
    id: row.id,
    title: row.title,
    encryptedContent: row.readable_content,
    timeLockUntil: isoOrNull(row.time_lock_until),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    version: row.version,
    sealId: row.seal_id,
    keyFingerprint: row.key_fingerprint,
  };
}

const onePage = compiled<{ accountId: number; now: number; before: number; limit: number }>()((db, value) =>
  db
    .selectFrom('memory_entries')
    .select(plainColumns)
    .select(readableContent(value('now')))
    .where('account_id', '=', value('accountId'))
    .where('id', '<', value('before'))
    .orderBy('id', 'desc')
    .limit(value('limit')),
);

const oneMemory = compiled<{ accountId: number; now: number; id: number }>()((db, value) =>
  db
    .selectFrom('memory_entries')
    .select(plainColumns)
    .select(readableContent(value('now')))
    .where('account_id', '=', value('accountId'))
    .where('id', '=', value('id')),
);

const pageSizes = compiled<{ accountId: number; limit: number; before: number }>()((db, value) =>
  db
    .selectFrom('memory_entries')
    .select(sql<number>`octet_length(title) + octet_length(encrypted_content)`.as('size'))
    .where('account_id', '=', value('accountId'))
    .where('id', '<', value('before'))
    .orderBy('id', 'desc')
    .limit(value('limit')),
);

/** One page, newest first. */
export async function listMemories(
  { db, now }: Store,
  accountId: number,
  asked: Asked,
): Promise<Page<Memory>> {
  const { rows, more } = await readPage(asked, {
    sizes: (slice) => pageSizes(db, { accountId, ...slice }),
    rows: (slice) => onePage(db, { accountId, now: now(), ...slice }),
  });
  return { rows: rows.map(toMemory), more };
}

export async function findMemory({ db, now }: Store, accountId: number, id: number): Promise<Memory | null> {
  const [row] = await oneMemory(db, { accountId, now: now(), id });
  return row ? toMemory(row) : null;
}

interface NewMemory {
  accountId: number;
  title: string;
  content: string;
  lock: number | null;
  sealId: string | null;
  keyFingerprint: string | null;
  createdAt: number;
  now: number;
}

const newMemory = compiled<NewMemory>()((db, value) =>
  db
    .insertInto('memory_entries')
    .columns([
      'account_id',
      'title',
      'encrypted_content',
      'time_lock_until',
      'seal_id',
      'key_fingerprint',
      'version',
      'created_at',
      'updated_at',
    ])
    .expression(
      db
        .selectNoFrom([
          asNumber(value('accountId')).as('account_id'),
          asText(value('title')).as('title'),
          asText(value('content')).as('encrypted_content'),
          asNumber(value('lock')).as('time_lock_until'),
          asText(value('sealId')).as('seal_id'),
          asText(value('keyFingerprint')).as('key_fingerprint'),
          sql<number>`1`.as('version'),
          asNumber(value('createdAt')).as('created_at'),
          asNumber(value('now')).as('updated_at'),
        ])
        .where(createdUnderTheKey(db, asNumber(value('accountId')), asText(value('keyFingerprint')))),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'seal_id']).doNothing())
    .returning(plainColumns)
    .returning(readableContent(value('now'))),
);

/**
 * Keeps a memory. Sending the same seal with the same words and lock again, as after a lost answer, keeps it once.
 * @returns `seal-reused` when the seal already belongs to something else, `key-changed` when it was sealed under a
 *   key that is not the vault's any more
 */
export async function createMemory(
  { db, now }: Store,
  accountId: number,
  input: MemoryInput,
): Promise<Memory | 'seal-reused' | 'key-changed'> {
  const time = now();
  const sealId = input.sealId ?? null;
  const lock = readLock(input.timeLockUntil);
  const [row] = await newMemory(db, {
    accountId,
    title: input.title,
    content: input.encryptedContent,
    lock,
    sealId,
    keyFingerprint: input.keyFingerprint ?? null,
    createdAt: Math.min(epoch(input.createdAt) ?? time, time),
    now: time,
  });
  if (row) return toMemory(row);
  if (await isAnotherKey(db, accountId, input.keyFingerprint)) return 'key-changed';
  const kept = await db
    .selectFrom('memory_entries')
    .select(plainColumns)
    .select(readableContent(time))
    .where('account_id', '=', accountId)
    .where('seal_id', '=', sealId)
    .where('title', '=', input.title)
    .where('encrypted_content', '=', input.encryptedContent)
    .where(sql<boolean>`coalesce(time_lock_until, -1) = ${lock ?? -1}`)
    .executeTakeFirst();
  return kept ? toMemory(kept) : 'seal-reused';
}

export type UpdateOutcome =
  | Memory
  | 'not-found'
  | 'time-locked'
  | 'lock-stands'
  | 'stale-version'
  | 'key-changed';

/**
 * Changes an unlocked memory. The statement itself holds every condition: mine, not locked, the version that the
 * writer saw, the key of today, and no lock taken away or brought nearer.
 */
export async function updateMemory(
  deps: Store,
  accountId: number,
  id: number,
  patch: MemoryPatch,
): Promise<UpdateOutcome> {
  const time = deps.now();
  const lock = readLock(patch.timeLockUntil);
  const row = await deps.db
    .updateTable('memory_entries')
    .set({
      title: patch.title,
      encrypted_content: patch.encryptedContent,
      key_fingerprint: patch.keyFingerprint ?? null,
      version: sql`version + 1`,
      updated_at: time,
      ...(lock === null ? {} : { time_lock_until: lock }),
    })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('version', '=', patch.version)
    .where((eb) => eb.or([eb('time_lock_until', 'is', null), eb('time_lock_until', '<=', time)]))
    .where(sealedUnderTheKey(deps.db, sql.val(accountId), sql.val(patch.keyFingerprint ?? null)))
    .where(standsUnderItsKey('memory_entries', patch.keyFingerprint ?? null))
    .returning(plainColumns)
    .returning(readableContent(time))
    .executeTakeFirst();
  if (row) return toMemory(row);
  return whyNot(deps, accountId, id, patch, time);
}

/** Only words for a refusal that the statement above has already made. */
async function whyNot(
  deps: Store,
  accountId: number,
  id: number,
  patch: MemoryPatch,
  time: number,
): Promise<UpdateOutcome> {
  const found = await findMemory(deps, accountId, id);
  if (!found) return 'not-found';
  const until = epoch(found.timeLockUntil);
  if (until !== null && until > time) {
    const asked = readLock(patch.timeLockUntil);
    return patch.timeLockUntil !== undefined && (asked ?? 0) < until ? 'lock-stands' : 'time-locked';
  }
  if (found.version === patch.version) return 'key-changed';
  return (await isAnotherKey(deps.db, accountId, patch.keyFingerprint)) ? 'key-changed' : 'stale-version';
}

/** Deletes a memory, locked or not. */
export async function deleteMemory({ db }: Store, accountId: number, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('memory_entries')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
