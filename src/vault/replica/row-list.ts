// The lists of an open vault. Each is fetched, compared with the book and opened in one way, and what is done with a row is
// shown in one place.

import type { RowOf } from '../../shared/nouns/sealed-rows.ts';
import type { KindName } from '../../shared/sealed-kinds.ts';
import { compareWithBook } from '../book/compare-with-book.ts';
import type { VaultKind } from '../kinds/vault-kind.ts';
import type { PageOpener } from '../opening/opening-work.ts';
import type { Vault } from '../vault.ts';
import type { BlockStore } from './block-store.ts';

/** A vault whose lists are kept while it is open. */
export interface ListedVault extends Vault {
  /** Its rows that are open. Locking empties it. */
  lists: ListStore;
  /** Whether this device keeps lists between visits: its owner has said that nobody else uses it. */
  keepsLists(): boolean;
  /** Where it keeps them. */
  loadBlocks(): Promise<BlockStore>;
  /** What opens the pages of a long list beside this one; it is closed once the list is there. */
  openElsewhere(): Promise<PageOpener>;
}

/** One list: how its rows come to be known. */
export interface RowList<Row> {
  /** The path of its call, by which it is known. */
  path: string;
  /** Fetches and opens all rows, and compares them with the book. @throws ApiError, TypeError */
  load(vault: ListedVault, loading: Loading<Row>): Promise<Row[]>;
  /** Which row comes first; left out where the newest does, as the server lists them. */
  order?(one: Row, other: Row): number;
  /** Is told the rows after something was done with one of them in this page. */
  changed?(vault: ListedVault, rows: readonly Row[]): void;
  /** Of rows that can be edited: the name of a draft, and which rows were deleted but can be restored. */
  edited?: {
    draftOf(sealId: string): string;
    fetchDeleted(vault: ListedVault): Promise<readonly { sealId: string | null }[]>;
  };
}

/** What a list is told while it is loaded. */
export interface Loading<Row> {
  /** Aborted when the vault is locked: nothing may be shown afterwards. */
  signal: AbortSignal;
  /** Shows what is known before all of it is. */
  show(change: RowsChange<Row>): void;
  /**
   * Is told that nobody answers, and that what is shown is as this device keeps it.
   * @param at when that came from the server, in epoch milliseconds; 0 where it is not known
   */
  shownAsOf(at: number): void;
}

/** Makes other rows of those that are known; undefined stands for a list that is not. */
export type RowsChange<Row> = (rows: readonly Row[] | undefined) => readonly Row[] | undefined;

/** Where lists are kept while the vault is open. The page has one (web/vault/session/list-store.ts). */
export interface ListStore {
  /** The rows that are known; undefined where the list was not wanted yet. */
  rows<Row>(list: RowList<Row>): readonly Row[] | undefined;
  change<Row>(list: RowList<Row>, change: RowsChange<Row>): void;
  /**
   * Loads a list anew, or waits for it where it is on its way.
   * @param maxAge in milliseconds: a list that is known and no older is not loaded again
   */
  load<Row>(list: RowList<Row>, maxAge?: number): Promise<readonly Row[]>;
  isLoading(list: { path: string }): boolean;
  /** Has a list loaded again: now where it is shown, or else when it is next wanted. */
  refresh(list: { path: string }): Promise<void>;
}

/** For how long a list counts as fresh while many rows are looked for in it, in milliseconds. */
export const FRESH = 10_000;

/** Changes the rows that are known of a list. */
export function changeRows<Row>(
  vault: ListedVault,
  list: RowList<Row>,
  change: (rows: readonly Row[]) => readonly Row[],
): void {
  const { lists } = vault;
  const apply = () => {
    lists.change(list, (rows) => rows && change(rows));
    const rows = lists.rows(list);
    if (rows) list.changed?.(vault, rows);
  };
  apply();
  // A list that is on its way may have been read before this change, and would undo it here.
  if (lists.isLoading(list)) void lists.load(list).then(apply, () => {});
}

/** Shows a row as it is now: in the place of the one with its number, or as a new one. */
export function putRow<Row extends { id: number }>(vault: ListedVault, list: RowList<Row>, row: Row): void {
  changeRows(vault, list, (rows) => {
    const next = rows.some(({ id }) => id === row.id)
      ? rows.map((other) => (other.id === row.id ? row : other))
      : [row, ...rows];
    return list.order ? [...next].sort(list.order) : next;
  });
}

/** Takes a row that is gone on the server out of its list. */
export function dropRow<Row extends { id: number }>(
  vault: ListedVault,
  list: RowList<Row>,
  id: number,
): void {
  changeRows(vault, list, (rows) => rows.filter((row) => row.id !== id));
}

/** The list of a kind whose rows are fetched whole and opened one by one. */
export const rowListOf = <K extends KindName, Row>(
  name: K,
  { path, fetch }: VaultKind<K>,
  open: (row: RowOf[K], vault: ListedVault) => Row | Promise<Row>,
): RowList<Row> => ({
  path,
  async load(vault) {
    const rows = await fetch(vault.api);
    compareWithBook(vault, name, rows);
    return Promise.all(rows.map((row) => open(row, vault)));
  },
});
