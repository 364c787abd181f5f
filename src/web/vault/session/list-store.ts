// The lists of an open vault in the page's query cache. What is opened is in memory alone, and locking takes it away.
import { hashKey, type QueryClient } from '@tanstack/react-query';
import { isUnanswered } from '../../../vault/api/api-error.ts';
import type { ListStore, RowList, RowsChange } from '../../../vault/replica/row-list.ts';
import { noteAsOf } from '../../api/app-state.ts';
import type { forgetDrafts } from './forget-drafts.ts';
import type { OpenVault } from './vault-context.ts';

/** Where the rows of a list are kept. */
const rowsKey = ({ path }: { path: string }, { user, fingerprint }: OpenVault) => [
  'opened',
  path,
  user.id,
  fingerprint,
];

/** Aborted when the list is forgotten, as locking does: nothing may be put there afterwards. */
function untilForgotten(queryClient: QueryClient, queryKey: readonly unknown[]) {
  const forgotten = new AbortController();
  const hash = hashKey(queryKey);
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'removed' && query.queryHash === hash) forgotten.abort();
  });
  return { signal: forgotten.signal, stop };
}

/** Nobody waits for it. */
const forgetDraftsOf = (...given: Parameters<typeof forgetDrafts>): void =>
  void import('./forget-drafts.ts').then((part) => part.forgetDrafts(...given)).catch(() => {});

/** How a list is asked for by a screen. */
export function rowsQuery<Row>(list: RowList<Row>, vault: OpenVault) {
  const { queryClient } = vault;
  const queryKey = rowsKey(list, vault);
  return {
    queryKey,
    async queryFn(): Promise<readonly Row[]> {
      const { signal, stop } = untilForgotten(queryClient, queryKey);
      const show = (change: RowsChange<Row>) => {
        signal.throwIfAborted();
        queryClient.setQueryData<readonly Row[]>(queryKey, change);
      };
      try {
        const shownAsOf = (at: number) => noteAsOf(queryClient, list.path, at);
        const rows = await list.load(vault, { signal, show, shownAsOf });
        signal.throwIfAborted();
        noteAsOf(queryClient, list.path, null);
        if (list.edited) forgetDraftsOf(list.edited, rows as readonly { sealId: string | null }[], vault);
        return rows;
      } catch (error) {
        // Whoever refuses is there.
        if (!isUnanswered(error)) noteAsOf(queryClient, list.path, null);
        throw error;
      } finally {
        stop();
      }
    },
    structuralSharing: false,
  };
}

export function createListStore(vaultOf: () => OpenVault): ListStore {
  const cache = () => vaultOf().queryClient;
  const keyOf = (list: { path: string }) => rowsKey(list, vaultOf());
  return {
    rows: (list) => cache().getQueryData(keyOf(list)),
    change: (list, change) => void cache().setQueryData(keyOf(list), change),
    load: (list, maxAge = 0) => cache().fetchQuery({ ...rowsQuery(list, vaultOf()), staleTime: maxAge }),
    isLoading: (list) => cache().isFetching({ queryKey: keyOf(list) }) > 0,
    refresh: (list) => cache().invalidateQueries({ queryKey: keyOf(list) }),
  };
}
