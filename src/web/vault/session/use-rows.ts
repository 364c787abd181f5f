// A list of the open vault on a screen.
import { useQuery } from '@tanstack/react-query';
import type { RowList } from '../../../vault/replica/row-list.ts';
import { rowsQuery } from './list-store.ts';
import { useVault } from './vault-context.ts';

/** When a list is fetched again although it is known. */
export interface Freshness {
  /** False while nobody wants the list: it is then not fetched. */
  enabled?: boolean;
  refetchOnMount?: 'always';
  refetchOnWindowFocus?: 'always';
  /** For how long it is kept when no screen shows it any more, in milliseconds. */
  gcTime?: number;
}

/** The rows of a list, fetched and opened when they are first wanted. */
export const useRows = <Row>(list: RowList<Row>, freshness: Freshness = {}) =>
  useQuery({ ...rowsQuery(list, useVault()), ...freshness });
