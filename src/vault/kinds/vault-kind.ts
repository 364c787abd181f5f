// What a kind of sealed row is to a browser, whether it is an entry in a list or not: how it is called before something that
// cannot be undone, and how its rows are fetched. Each kind fills it in a file of its own; `vault-kinds.ts` lists them.
import type { RowOf } from '../../shared/nouns/sealed-rows.ts';
import type { KindName, ResealableKind } from '../../shared/sealed-kinds.ts';
import type { ApiClient } from '../api/api-client.ts';

export interface VaultKind<K extends KindName> {
  words: {
    /** At the beginning of a sentence: such as "A memory". */
    one: string;
    /** Counted. */
    noun: string;
    nouns: string;
    /** The one that there is has several parts. */
    isPlural?: true;
    /** Such as "every memory". */
    every: string;
    /** Such as "memories": what of it goes on under another key. Null where nothing can. */
    sealedAnew: K extends ResealableKind ? string : null;
  };
  /** The path of its list, which is in the names of the queries that show it. */
  path: string;
  /** Every row that the server lists. @throws ApiError, TypeError */
  fetch(api: ApiClient): Promise<RowOf[K][]>;
  /** The same of those that were deleted and can be restored; null where none can. */
  fetchDeleted: ((api: ApiClient) => Promise<RowOf[K][]>) | null;
  /**
   * Whether the words of a row are gone, as the server says: the book knows by which rules they may be.
   * @param now epoch milliseconds; 0 for what the server alone says
   */
  isOver(row: RowOf[K], now: number): boolean;
}
