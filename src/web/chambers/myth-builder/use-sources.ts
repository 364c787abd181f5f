// The entries that a eulogy can be made from, fetched and opened once somebody wants one.
import { useEffect, useMemo, useRef } from 'react';
import { lockState } from '../../../shared/nouns/memory.ts';
import { useMemories } from '../../vault/entries/memories.ts';
import { type Person, peopleOf } from '../../vault/entries/people.ts';
import { useRelationships } from '../../vault/entries/relationships.ts';
import { type Sources, sourcesOf } from './eulogy.ts';

export interface SourcesHook {
  /** Null while they are on their way, or cannot be had. */
  sources: Sources | null;
  people: Person[];
  error: unknown;
  isFetching: boolean;
  retry: () => void;
}

/** @param wanted whose: the people's names alone, or every entry */
export function useSources(wanted: 'none' | 'names' | 'entries'): SourcesHook {
  const memories = useMemories(wanted === 'entries').list;
  const moments = useRelationships(wanted !== 'none').list;
  const looked = useRef(false);
  const people = useMemo(() => peopleOf(moments.data ?? []), [moments.data]);
  const sources = useMemo(
    () => (memories.data && moments.data ? sourcesOf(memories.data, moments.data, Date.now()) : null),
    [memories.data, moments.data],
  );

  // A lock may have ended since the list was fetched. Once is enough: the server's clock decides.
  const { data, refetch } = memories;
  useEffect(() => {
    if (!data || looked.current || wanted !== 'entries') return;
    looked.current = true;
    const isOver = (until: string | null) =>
      until !== null && lockState(Date.parse(until), Date.now()) !== 'locked';
    if (data.some(({ withheld, timeLockUntil }) => withheld && isOver(timeLockUntil))) void refetch();
  }, [data, refetch, wanted]);

  return {
    sources,
    people,
    error: memories.error ?? moments.error,
    isFetching: memories.isFetching || moments.isFetching,
    retry() {
      if (memories.isError) void memories.refetch();
      if (moments.isError) void moments.refetch();
    },
  };
}
