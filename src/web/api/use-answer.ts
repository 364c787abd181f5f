// What the server answers to a call that says nothing, kept under its path.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AnswerOf, ArgumentsOf, Row } from '../../vault/api/api-client.ts';
import { useApi } from './services.tsx';

/** A call that needs no arguments. */
type Plain<C extends Row> = Record<never, never> extends ArgumentsOf<C> ? C : never;

/** @param options `refetchOnMount`: asks again whenever somebody comes to what shows it */
export function useAnswer<const C extends Row>(
  row: C & Plain<C>,
  options: { refetchOnMount?: 'always' } = {},
): UseQueryResult<AnswerOf<C>> {
  const { send } = useApi();
  return useQuery({
    queryKey: [row.path],
    queryFn: () => send<C>(row, {} as ArgumentsOf<C>),
    ...options,
  });
}
