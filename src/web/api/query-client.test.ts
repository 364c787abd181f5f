import { expect, it } from 'vitest';
import { queryClient } from './query-client.ts';

it('nothing goes stale, is asked again on focus or after a failure, unless it says so', () => {
  expect(queryClient.getDefaultOptions().queries).toMatchObject({
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
});
