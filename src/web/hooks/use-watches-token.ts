// Whether this server watches a token: without one nothing is held back for its holders, and screens say little of it.
import { useQuery } from '@tanstack/react-query';
import { holders } from '../../shared/nouns/holders.ts';
import { useApi } from '../api/services.tsx';

/** Undefined while that is not known. A server that has not yet read whom its token belongs to answers with an error. */
export function useWatchesToken(): boolean | undefined {
  const { send } = useApi();
  const { data } = useQuery({
    queryKey: [holders.check.path],
    queryFn: () => send(holders.check, {}),
  });
  return data === undefined ? undefined : data !== null;
}
