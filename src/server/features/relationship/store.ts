// The ledger's entries in the database: ciphertext, what kind of moment it was and how heavy.
import { sql } from 'kysely';
import {
  type EventType,
  type Relationship,
  type RelationshipInput,
  type RelationshipPatch,
  WEIGHT_DEFAULT,
} from '../../../shared/relationship.ts';
import { asNumber, asText } from '../../db/casts.ts';
import { compiled } from '../../db/compiled.ts';
import {
  createdUnderTheKey,
  isAnotherKey,
  sealedUnderTheKey,
  standsUnderItsKey,
} from '../../db/key-guard.ts';
import type { RelationshipEntriesTable } from '../../db/schema.ts';
import { epoch, iso } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { type Asked, type Page, readPage } from '../../http/pages.ts';

type Store = Pick<Deps, 'db' | 'now'>;
type Row = Omit<RelationshipEntriesTable, 'id' | 'account_id'> & { id: number };

const columns = [
  'id',
  'person_name',
  'event_type',
  'encrypted_content',
  'emotional_weight',
  'seal_id',
  'key_fingerprint',
  'version',
  'created_at',
  'updated_at',
] as const;

function toRelationship(row: Row): Relationship {
  return {
    id: row.id,
    personName: row.person_name,
    eventType: row.event_type,
    encryptedContent: row.encrypted_content,
    emotionalWeight: row.emotional_weight,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    version: row.version,
    sealId: row.seal_id,
    keyFingerprint: row.key_fingerprint,
  };
}

const onePage = compiled<{ accountId: number; before: number; limit: number }>()((db, value) =>
  db
    .selectFrom('relationship_entries')
    .select(columns)
    .where('account_id', '=', value('accountId'))
    .where('id', '<', value('before'))
    .orderBy('id', 'desc')
    .limit(value('limit')),
);

const pageSizes = compiled<{ accountId: number; before: number; limit: number }>()((db, value) =>
  db
    .selectFrom('relationship_entries')
    .select(sql<number>`octet_length(person_name) + octet_length(encrypted_content)`.as('size'))
    .where('account_id', '=', value('accountId'))
    .where('id', '<', value('before'))
    .orderBy('id', 'desc')
    .limit(value('limit')),
);

const oneEntry = compiled<{ accountId: number; id: number }>()((db, value) =>
  db
    .selectFrom('relationship_entries')
    .select(columns)
    .where('account_id', '=', value('accountId'))
    .where('id', '=', value('id')),
);

/** One page, newest first. */
export async function listRelationships(
  { db }: Store,
  accountId: number,
  asked: Asked,
): Promise<Page<Relationship>> {
  const { rows, more } = await readPage(asked, {
    sizes: (slice) => pageSizes(db, { accountId, ...slice }),
    rows: (slice) => onePage(db, { accountId, ...slice }),
  });
  return { rows: rows.map(toRelationship), more };
}

export async function findRelationship(
  { db }: Store,
  accountId: number,
  id: number,
): Promise<Relationship | null> {
  const [row] = await oneEntry(db, { accountId, id });
  return row ? toRelationship(row) : null;
}

interface NewEntry {
  accountId: number;
  personName: string;
  eventType: EventType;
  content: string;
  weight: number;
  sealId: string | null;
  keyFingerprint: string | null;
  createdAt: number;
  now: number;
}

const newEntry = compiled<NewEntry>()((db, value) =>
  db
    .insertInto('relationship_entries')
    .columns([
      'account_id',
      'person_name',
      'event_type',
      'encrypted_content',
      'emotional_weight',
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
          asText(value('personName')).as('person_name'),
          asText(value('eventType')).as('event_type'),
          asText(value('content')).as('encrypted_content'),
          asNumber(value('weight')).as('emotional_weight'),
          asText(value('sealId')).as('seal_id'),
          asText(value('keyFingerprint')).as('key_fingerprint'),
          sql<number>`1`.as('version'),
          asNumber(value('createdAt')).as('created_at'),
          asNumber(value('now')).as('updated_at'),
        ])
        .where(createdUnderTheKey(db, asNumber(value('accountId')), asText(value('keyFingerprint')))),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'seal_id']).doNothing())
    .returning(columns),
);

/**
 * Keeps a moment. Sending the same seal with the same fields again, as after a lost answer, keeps it once.
 * @returns `seal-reused` when the seal already belongs to something else, `key-changed` when it was sealed under a
 *   key that is not the vault's any more
 */
export async function createRelationship(
  { db, now }: Store,
  accountId: number,
  input: RelationshipInput,
): Promise<Relationship | 'seal-reused' | 'key-changed'> {
  const time = now();
  const sealId = input.sealId ?? null;
  const weight = input.emotionalWeight ?? WEIGHT_DEFAULT;
  const [row] = await newEntry(db, {
    accountId,
    personName: input.personName,
    eventType: input.eventType,
    content: input.encryptedContent,
    weight,
    sealId,
    keyFingerprint: input.keyFingerprint ?? null,
    createdAt: Math.min(epoch(input.createdAt) ?? time, time),
    now: time,
  });
  if (row) return toRelationship(row);
  if (await isAnotherKey(db, accountId, input.keyFingerprint)) return 'key-changed';
  const kept = await db
    .selectFrom('relationship_entries')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('seal_id', '=', sealId)
    .where('person_name', '=', input.personName)
    .where('event_type', '=', input.eventType)
    .where('encrypted_content', '=', input.encryptedContent)
    .where('emotional_weight', '=', weight)
    .executeTakeFirst();
  return kept ? toRelationship(kept) : 'seal-reused';
}

export type UpdateOutcome = Relationship | 'not-found' | 'stale-version' | 'key-changed';

/** Changes a moment. The statement itself holds every condition: mine, the version that the writer saw, today's key. */
export async function updateRelationship(
  deps: Store,
  accountId: number,
  id: number,
  patch: RelationshipPatch,
): Promise<UpdateOutcome> {
  const row = await deps.db
    .updateTable('relationship_entries')
    .set({
      person_name: patch.personName,
      event_type: patch.eventType,
      encrypted_content: patch.encryptedContent,
      emotional_weight: patch.emotionalWeight,
      key_fingerprint: patch.keyFingerprint ?? null,
      version: sql`version + 1`,
      updated_at: deps.now(),
    })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('version', '=', patch.version)
    .where(sealedUnderTheKey(deps.db, sql.val(accountId), sql.val(patch.keyFingerprint ?? null)))
    .where(standsUnderItsKey('relationship_entries', patch.keyFingerprint ?? null))
    .returning(columns)
    .executeTakeFirst();
  if (row) return toRelationship(row);
  // Only words for a refusal that the statement above has already made.
  const found = await findRelationship(deps, accountId, id);
  if (!found) return 'not-found';
  if (found.version === patch.version) return 'key-changed';
  return (await isAnotherKey(deps.db, accountId, patch.keyFingerprint)) ? 'key-changed' : 'stale-version';
}

export async function deleteRelationship({ db }: Store, accountId: number, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('relationship_entries')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
