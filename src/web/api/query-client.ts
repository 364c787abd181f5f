// The query cache, as the specification wants it: never stale, no refetch on focus, no retries. Two screens ask
// again by themselves (docs/interface.md, "Fetching").

import { QueryClient } from '@tanstack/react-query';
import { MINUTE } from '../../shared/time.ts';

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        // Asked also while the browser believes to be offline: a list that fails says so, one that waits does not.
        networkMode: 'always',
        // What could not be fetched is fetched once the connection is back, and nothing else.
        refetchOnReconnect: (query) => (query.state.status === 'error' ? 'always' : false),
        retry: false,
        gcTime: 5 * MINUTE,
      },
      mutations: { retry: false },
    },
  });
