// All migrations in order. A name, once shipped, is never changed: the database remembers it.
import type { Kysely } from 'kysely';
import type { Engine } from '../open.ts';
import * as beginning from './0001-beginning.ts';

export interface Migration {
  up(db: Kysely<unknown>, engine: Engine): Promise<void>;
}

export const migrations: Record<string, Migration> = {
  '0001-beginning': beginning,
};
