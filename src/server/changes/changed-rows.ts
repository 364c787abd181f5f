// How rows of a kind are answered among the changes of a vault. Whoever owns a kind's table says it, and app.ts gathers them.
import type { ChangedRow } from '../../shared/nouns/changes.ts';
import type { KindName } from '../../shared/sealed-kinds.ts';
import type { Database } from '../db/open.ts';
import type { Deps } from '../deps.ts';
import type { Range } from './changes-store.ts';

export interface ChangedRows<Row> {
  /** How much ciphertext the rows of a range have, without reading them. Left out where they have little. */
  sizes?: (db: Database, range: Range) => Promise<{ id: number; size: number }[]>;
  /**
   * The rows of a range (`changedIn`), in any order; a row with the number 0 where a vault has one at most.
   * @returns null for a row that no list answers at this time, although it is still there
   */
  rows: (
    deps: Pick<Deps, 'db' | 'now' | 'rules'>,
    range: Range,
  ) => Promise<{ id: number; row: Row | null }[]>;
}

/** Every kind: one that is left out does not compile. */
export type ChangedKinds = { [K in KindName]: ChangedRows<ChangedRow<K>> };
