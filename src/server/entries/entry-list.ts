// What a list of sealed entries is told by: its kind, which has the table and the sealed fields, and what it has besides.
import { type FieldName, type Kinds, type RestorableKind, sealedKinds } from '../../shared/sealed-kinds.ts';
import { sealedTables } from '../db/sealed-tables.ts';

export type Value = string | number | null;

/** What every entry answers, whatever its list. */
export interface EntryReply {
  id: number;
  version: number;
  createdAt: string;
  updatedAt: string;
  sealId: string | null;
  keyFingerprint: string | null;
}

export interface EntryInput {
  sealId?: string | null | undefined;
  keyFingerprint?: string | null | undefined;
  createdAt?: string | null | undefined;
  timeLockUntil?: string | null | undefined;
}

export interface EntryPatch {
  version: number;
  keyFingerprint?: string | null | undefined;
  timeLockUntil?: string | null | undefined;
}

/** The kinds that stand in lists of this store. */
export type ListedKind = RestorableKind;
export type Sealed<K extends ListedKind> = FieldName<Kinds[K]>;

/** The fields in the clear that one list has of its own, by their names in the contract. */
type ClearField<K extends ListedKind, Entry> = Exclude<
  keyof Entry & string,
  keyof EntryReply | 'timeLockUntil' | Sealed<K>
>;
export type Sent<K extends ListedKind, Entry> = Partial<Record<ClearField<K, Entry> | Sealed<K>, unknown>>;

interface Column {
  column: string;
  type: 'text' | 'number';
  /** What stands there when a new entry does not say. */
  otherwise?: Value;
}

/** One list: its kind, which has the table and the sealed fields, and what it has besides. */
export interface EntryList<K extends ListedKind, Entry> {
  kind: K;
  clear: { [Name in ClearField<K, Entry>]: Column };
  /** The column of its lock, if its entries can be locked, and the sealed fields that are null while one is. */
  lock: Entry extends { timeLockUntil: string | null }
    ? { column: 'time_lock_until'; withholds: readonly Sealed<K>[] }
    : null;
}

/** A column of a list, by the name that its field has in the contract. */
export interface Field extends Required<Column> {
  name: string;
  sealed: boolean;
  /** Null for whoever asks while the entry is locked. */
  withheld: boolean;
  /** It may be left out of an edit, and then stays. */
  optional: boolean;
}

/** Where the entries of a list stand: their table, the column of their lock, and a column for each field. */
export interface Columns {
  table: (typeof sealedTables)[ListedKind]['table'];
  lock: string | null;
  fields: readonly Field[];
}

/** What the statements of a list are made of. */
export function columnsOf<K extends ListedKind, Entry>({
  kind,
  clear,
  lock: locking,
}: EntryList<K, Entry>): Columns {
  const { table, columns } = sealedTables[kind];
  const withheld: readonly string[] = locking?.withholds ?? [];
  const sealed = Object.entries<string>(columns).map(([name, column]) => ({
    ...{ name, column, type: 'text' as const, sealed: true, withheld: withheld.includes(name) },
    ...{ optional: name in sealedKinds[kind].optional, otherwise: null },
  }));
  const inTheClear = Object.entries<Column>(clear).map(([name, column]) => ({
    ...{ otherwise: null, ...column, name },
    ...{ sealed: false, withheld: false, optional: false },
  }));
  return { table, lock: locking?.column ?? null, fields: [...sealed, ...inTheClear] };
}
