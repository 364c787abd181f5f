// The leaf of a row, for every list that is opened.
import { leafOf } from '../../crypto/book-leaf.ts';
import { type KindName, markNames } from '../../shared/sealed-kinds.ts';

type Fields = Record<string, string | null | undefined>;

/** The leaf of a row by its sealed fields. @param before the leaf of a row of which some fields stay */
export const leafOfRow = (kind: KindName, row: object, before?: string): string =>
  leafOf(
    markNames(kind).map((field) => (row as Fields)[field]),
    before,
  );
