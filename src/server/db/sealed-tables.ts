// Where the rows of each sealed kind stand (shared/sealed-kinds.ts). Key rotation, the key guard and sharing read it here;
// a kind without its table, or without a column for one of its fields, does not compile.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DELETED_LASTS } from '../../shared/nouns/entry-calls.ts';
import {
  type FieldName,
  fieldNames,
  type KindList,
  type KindName,
  type Kinds,
  kindNames,
  type SealedKind,
  sealedKinds,
  type VersionedKind,
} from '../../shared/sealed-kinds.ts';
import type { Schema } from './schema.ts';

/** A condition on a row that its statement calls `entry`, at a time in epoch milliseconds. */
type Condition = (time: number) => RawBuilder<SqlBool>;
/** Also for a statement that is compiled before the time is known. */
type CompiledCondition = (time: number | Expression<number>) => RawBuilder<SqlBool>;

interface Row<Table extends keyof Schema, Numbered extends boolean> {
  table: Table;
  /** The column of its number; null where a vault has one row at most. */
  id: Numbered extends true ? 'id' & keyof Schema[Table] : null;
  /** Which rows hold something sealed that a key is needed for. */
  holds: Condition;
  /** Which rows were deleted by hand and wait to be erased: they are in no list, and nothing leads to them. */
  deleted?: CompiledCondition;
  /** Conditions that between them every row meets, where each has an index by account and number for itself. */
  parts?: readonly RawBuilder<SqlBool>[];
}

interface OwnWords<Table extends keyof Schema, Field extends string> {
  /** The columns of the sealed fields. */
  columns: Record<Field, keyof Schema[Table] & string>;
  words?: undefined;
}

/** Words in a table of their own, buried (db/overflow.ts), so that a row can lose them. */
interface OtherWords<Table extends keyof Schema, Field extends string> {
  columns: Record<Field, keyof Schema[Table] & string>;
  words: { table: Table; by: keyof Schema[Table] & string };
}

/** The words of at least one kind stand in such a table. */
type WordsTable = 'ghost_words';

type SealedTable<Field extends string, Numbered extends boolean> = {
  [Table in keyof Schema]: Row<Table, Numbered> & (OwnWords<Table, Field> | OtherWords<WordsTable, Field>);
}[keyof Schema];

/** The table of one kind. What may be locked or restored says when a row is locked or deleted. */
type TableOf<K extends SealedKind> = SealedTable<FieldName<K>, K['rows'] extends 'many' ? true : false> &
  (K['withheld'] extends { when: 'locked' } ? { locked: CompiledCondition } : { locked?: undefined }) &
  (K['entries'] extends object
    ? Required<Pick<Row<keyof Schema, true>, 'deleted' | 'parts'>>
    : { deleted?: undefined; parts?: undefined });

export type SealedTables<L extends KindList = Kinds> = { [K in KindName<L>]: TableOf<L[K]> };

const always: Condition = () => sql<SqlBool>`1 = 1`;

/** Of the kinds whose deleted rows can be restored: a key is needed for those, too, until their time is over. */
const restorable = {
  holds: (time: number) => sql<SqlBool>`coalesce(entry.deleted_at > ${time - DELETED_LASTS}, true)`,
  deleted: () => sql<SqlBool>`entry.deleted_at is not null`,
  parts: [sql<SqlBool>`deleted_at is null`, sql<SqlBool>`deleted_at is not null`],
};

export const sealedTables = {
  memory: {
    table: 'memory_entries',
    id: 'id',
    columns: { title: 'title', encryptedContent: 'encrypted_content', details: 'details' },
    ...restorable,
    locked: (time) => sql`coalesce(entry.time_lock_until > ${time}, false)`,
  },
  relationship: {
    table: 'relationship_entries',
    id: 'id',
    columns: { personName: 'person_name', encryptedContent: 'encrypted_content', details: 'details' },
    ...restorable,
  },
  myth: {
    table: 'myth_stories',
    id: 'id',
    columns: { title: 'title', encryptedContent: 'encrypted_content', details: 'details' },
    ...restorable,
  },
  onboarding: {
    table: 'onboarding_answers',
    id: null,
    columns: { question1: 'question1', question2: 'question2', question3: 'question3' },
    holds: always,
  },
  'sacred-key': {
    table: 'shareable_keys',
    id: 'id',
    columns: { encryptedSecret: 'encrypted_secret' },
    // A link that is reserved and not sealed yet has no secret.
    holds: () => sql`entry.encrypted_secret is not null`,
  },
  webhook: {
    table: 'import_webhooks',
    id: 'id',
    columns: { name: 'name' },
    holds: always,
  },
  'guardian-kit': {
    table: 'guardian_kits',
    id: 'id',
    columns: { details: 'details' },
    holds: always,
  },
  'legacy-scroll': {
    table: 'legacy_scrolls',
    id: 'id',
    columns: { title: 'title', encryptedScrollKey: 'encrypted_scroll_key' },
    holds: () => sql`entry.encrypted_scroll_key is not null`,
  },
  ghost: {
    table: 'ghost_entries',
    id: 'id',
    columns: { encryptedContent: 'encrypted_content' },
    words: { table: 'ghost_words', by: 'ghost_id' },
    holds: (time) => sql`entry.expires_at > ${time}
      and exists (select 1 from ghost_words where ghost_words.ghost_id = entry.id)`,
  },
  breath: {
    table: 'final_breaths',
    id: null,
    columns: { encryptedContent: 'encrypted_content' },
    holds: () => sql`entry.released_at is null`,
  },
} as const satisfies SealedTables;

/** The tables whose rows their owner edits. */
export type VersionedTable = (typeof sealedTables)[VersionedKind]['table'];

/** One kind as statements want it. */
export interface EntryType {
  name: string;
  shape: SealedKind;
  table: keyof Schema;
  id: 'id' | null;
  /** The columns of its sealed fields, in the order of `fieldNames`: `first`, `second`, `third` of the staging table. */
  columns: { field: string; column: string; optional: boolean }[];
  words: { table: WordsTable; by: string } | null;
  holds: Condition;
  deleted: CompiledCondition | null;
  locked: CompiledCondition | null;
}

/** A list of kinds with their tables, in the order of the list: transactions lock rows in this order. */
export function kindsWithTables<L extends KindList>(kinds: L, tables: SealedTables<L>): EntryType[] {
  return kindNames(kinds).map((name) => {
    const shape = kinds[name] as SealedKind;
    const { table, id, columns, words, holds, deleted, locked } = tables[name] as unknown as SealedTable<
      string,
      boolean
    > & {
      locked?: CompiledCondition;
    };
    return {
      name,
      shape,
      table,
      id: id as 'id' | null,
      columns: fieldNames(shape).map((field) => ({
        field,
        column: columns[field] as string,
        optional: field in shape.optional,
      })),
      words: words ?? null,
      holds,
      deleted: deleted ?? null,
      locked: locked ?? null,
    };
  });
}

/** Every kind of the vault. */
export const allKinds: readonly EntryType[] = kindsWithTables(sealedKinds, sealedTables);

const EVERY_ROW = [sql<SqlBool>`1 = 1`];

/** Conditions that between them every row of a kind meets, for statements that take an account's rows in the order of their numbers. */
export const partsOf = (name: string): readonly RawBuilder<SqlBool>[] =>
  (sealedTables as Record<string, Pick<SealedTable<string, boolean>, 'parts'>>)[name]?.parts ?? EVERY_ROW;
