// Whether this server watches a token: without one nothing is held back for its holders, and screens say little of it.
import { holders } from '../../shared/nouns/holders.ts';
import { useAnswer } from '../api/use-answer.ts';

/** Undefined while that is not known. A server that has not yet read whom its token belongs to answers with an error. */
export function useWatchesToken(): boolean | undefined {
  const { data } = useAnswer(holders.check);
  return data === undefined ? undefined : data !== null;
}
