// The gathering, asked for again while somebody looks at it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Gathering, holders } from '../../../shared/nouns/holders.ts';
import { SECOND } from '../../../shared/time.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';
import { ApiError, sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';

/** The specification's pace. A tab that nobody sees asks nothing, and asks at once when it is shown again. */
const EVERY = 30 * SECOND;

async function check({ send }: ApiClient): Promise<Gathering | null> {
  try {
    return await send(holders.check, {});
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export interface GatheringState {
  /** Null where there is none, undefined while that is not known. */
  gathering: Gathering | null | undefined;
  isPending: boolean;
  /** Why it could not be fetched the last time, in a sentence. */
  problem: string | null;
  /** Who has come or gone since this page was opened; empty while nobody has. */
  news: string;
}

export function useGathering(): GatheringState {
  const api = useApi();
  const query = useQuery({
    queryKey: [holders.check.path],
    queryFn: () => check(api),
    refetchOnMount: 'always',
    refetchInterval: EVERY,
    refetchOnWindowFocus: 'always',
  });
  const news = useNews(query.data ?? null);
  return {
    gathering: query.data,
    isPending: query.isPending,
    problem: query.isError ? sentenceOf(query.error) : null,
    news,
  };
}

/** Tells of a change of the count between two readings, and not of what was there at first. */
function useNews(gathering: Gathering | null): string {
  const [seen, setSeen] = useState<number | null>(null);
  const [news, setNews] = useState('');
  const count = gathering?.count ?? null;
  if (count !== null && count !== seen) {
    setSeen(count);
    if (seen !== null && gathering) setNews(newsOf(count - seen, gathering));
  }
  return news;
}

type Counted = Pick<Gathering, 'count' | 'threshold'>;

/** Such as "9 of 13"; "130 holders" once there are more than places. */
export function countOf({ count, threshold }: Counted): string {
  const shown = count.toLocaleString('en-GB');
  return count > threshold ? `${shown} holders` : `${shown} of ${threshold}`;
}

export function newsOf(by: number, counted: Counted): string {
  const many = Math.abs(by);
  const who = many === 1 ? 'A holder has' : `${many} holders have`;
  return `${who} ${by > 0 ? 'come' : 'gone'}: ${countOf(counted)} now.`;
}
