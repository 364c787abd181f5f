import { expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

it('nothing goes stale, is asked again on focus or after a failure, unless it says so', () => {
  expect(createQueryClient().getDefaultOptions().queries).toMatchObject({
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
});
