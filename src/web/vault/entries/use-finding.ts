// What is looked for in a list: words, and a tag. Both are state of the page alone: neither may reach an address.
import { useDeferredValue, useMemo, useState } from 'react';
import { search, wordsOf } from '../../../vault/entries/search.ts';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';

const keyOf = (tag: string) => tag.toLowerCase();

/** What the rows of a list need to know of what is looked for. */
export interface Looking {
  /** The words, folded; none while nothing is searched for. */
  words: readonly string[];
  /** Shows what has this tag, and nothing else. */
  onTag: (tag: string) => void;
}

/** @param all undefined while nothing has come yet */
export function useFinding<E extends OpenedEntry>(all: readonly E[] | undefined) {
  const [query, setQuery] = useState('');
  const [tag, setTag] = useState<string | null>(null);
  const wanted = useDeferredValue(query);
  const words = useMemo(() => wordsOf(wanted), [wanted]);
  const found = useMemo(() => {
    const key = tag === null ? null : keyOf(tag);
    const tagged =
      key === null
        ? (all ?? [])
        : (all ?? []).filter(({ details }) => details.tags.some((other) => keyOf(other) === key));
    return search(tagged, wanted);
  }, [all, tag, wanted]);
  return {
    query,
    setQuery,
    /** The query that `found` answers, a moment behind the one that is typed. */
    wanted,
    tag,
    setTag,
    found,
    isLooking: words.length > 0 || tag !== null,
    words,
  };
}

export type Finding<E extends OpenedEntry> = ReturnType<typeof useFinding<E>>;
