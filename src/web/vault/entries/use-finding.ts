// What is looked for in a list, in which order it stands, and where it is scrolled to. All of it is state of the page alone:
// none may reach an address.
import { useDeferredValue, useMemo, useState } from 'react';
import { search, wordsOf } from '../../../vault/entries/search.ts';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { inOrder, type Order } from './arranged.ts';

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
  const [order, setOrder] = useState<Order>('newest');
  const [goTo, setGoTo] = useState<{ id: number } | null>(null);
  const wanted = useDeferredValue(query);
  const words = useMemo(() => wordsOf(wanted), [wanted]);
  const found = useMemo(() => {
    const key = tag === null ? null : keyOf(tag);
    const tagged =
      key === null
        ? (all ?? [])
        : (all ?? []).filter(({ details }) => details.tags.some((other) => keyOf(other) === key));
    return inOrder(search(tagged, wanted), order);
  }, [all, tag, wanted, order]);
  return {
    query,
    setQuery,
    /** The query that `found` answers, a moment behind the one that is typed. */
    wanted,
    tag,
    setTag,
    found,
    /** How the list of what was found stands. */
    arrangement: { order, goTo },
    setOrder,
    /** Scrolls to an entry, and gives it the focus. */
    showPlaceOf: ({ id }: E) => setGoTo({ id }),
    isLooking: words.length > 0 || tag !== null,
    words,
  };
}

/** How a list stands. */
export interface Arrangement {
  order: Order;
  /** What it is scrolled to; null where nobody has asked. */
  goTo: { id: number } | null;
}

export type Finding<E extends OpenedEntry> = ReturnType<typeof useFinding<E>>;
