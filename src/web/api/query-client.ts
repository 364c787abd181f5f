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
        retry: false,
        gcTime: 5 * MINUTE,
      },
      mutations: { retry: false },
    },
  });
