// All migrations in order. A name, once shipped, is never changed: the database remembers it.
import type { Kysely } from 'kysely';
import type { Engine } from '../open.ts';
import * as foundation from './0001-foundation.ts';
import * as chambers from './0002-chambers.ts';
import * as legacy from './0003-legacy.ts';

export interface Migration {
  up(db: Kysely<unknown>, engine: Engine): Promise<void>;
}

export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-chambers': chambers,
  '0003-legacy': legacy,
};
