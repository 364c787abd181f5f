// A list that comes from the server: on its way, not to be had, empty, or there.
import type { ReactNode } from 'react';
import { sentenceOf } from '../../vault/api/api-error.ts';
import { ErrorState, LoadingRows } from '../ui/states.tsx';

/** What a query of TanStack Query says of itself. */
interface Fetching {
  isPending: boolean;
  isError: boolean;
  isFetching: boolean;
  error: unknown;
  refetch(): Promise<unknown>;
}

interface ListedProps<Items extends readonly unknown[]> {
  query: Fetching;
  /** What has come by now, also while more is on its way. */
  items: Items | undefined;
  /** What is being fetched, for those who hear the page. */
  loading: string;
  /** How many rows are drawn meanwhile. */
  rows?: number;
  empty: ReactNode;
  /** Whether it is also said that what stands there could not be fetched anew. */
  tellsStale?: boolean;
  children: (items: Items) => ReactNode;
}

/** Shows its children once there is something to show; what was there before stays when fetching it again fails. */
export function Listed<Items extends readonly unknown[]>(props: ListedProps<Items>) {
  const { query, items, loading, rows, empty, tellsStale = false, children } = props;
  const offline = query.isError && !navigator.onLine;
  const failed = query.isError && (
    <ErrorState
      {...(offline && { title: 'You are offline', retryLabel: 'Retry' })}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    >
      {offline
        ? 'This list has not been fetched yet. It is fetched as soon as the connection is back.'
        : sentenceOf(query.error)}
    </ErrorState>
  );
  if (items) {
    return (
      <>
        {tellsStale && failed}
        {items.length === 0 ? empty : children(items)}
      </>
    );
  }
  return query.isPending ? <LoadingRows label={loading} {...(rows && { rows })} /> : failed;
}
