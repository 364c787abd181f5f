// Column kinds that the two engines spell differently.
import type { ColumnDefinitionBuilder } from 'kysely';
import type { Engine } from '../open.ts';

/** A row number that is never given twice, even after the newest row was deleted. */
export const autoIncrement = {
  type: (engine: Engine) => (engine === 'postgres' ? ('bigint' as const) : ('integer' as const)),
  column: (engine: Engine) => (column: ColumnDefinitionBuilder) =>
    engine === 'postgres'
      ? column.generatedAlwaysAsIdentity().primaryKey()
      : column.primaryKey().autoIncrement(),
};

/** Bytes, which both engines give back as a Buffer. */
export const bytes = (engine: Engine) => (engine === 'postgres' ? ('bytea' as const) : ('blob' as const));
