// Why an entry of a list does not open, in words for people.
import { useEffect, useState } from 'react';
import { lockState } from '../../../shared/nouns/memory.ts';
import { ApiError, sentenceOf } from '../../../vault/api/api-error.ts';
import type { EntryType, OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { formatUntil } from '../../ui/moments.ts';
import type { ToastWords } from '../../ui/toast-store.ts';
import type { Collection } from './collection.ts';

/** What an entry of a list is called. */
export interface EntryNames {
  /** In a sentence, such as "memory". */
  noun: string;
  /** At the beginning of one. */
  Noun: string;
  /** What cannot be decrypted of it, such as "story". */
  words: string;
}

/** Until when an entry is locked, in epoch milliseconds; null for those that never were. */
export const lockOf = (entry: OpenedEntry & { timeLockUntil?: string | null }): number | null =>
  typeof entry.timeLockUntil === 'string' ? Date.parse(entry.timeLockUntil) : null;

export const isLocked = (entry: OpenedEntry) => lockState(lockOf(entry), Date.now()) === 'locked';

export const NOT_GIVEN_OUT = 'The server does not give its text out. There is nothing to open.';
export const isWithoutWords = ({ withheld, leftOut }: OpenedEntry) => withheld || leftOut;

const locked = (entry: OpenedEntry): ToastWords => ({
  title: 'Memory is Time-Locked',
  description: `This memory will unlock on ${formatUntil(new Date(lockOf(entry) ?? 0).toISOString(), Date.now())}`,
});

export const goneOf = (names: EntryNames): ToastWords => ({
  title: `${names.Noun} is gone`,
  description: 'It was deleted elsewhere.',
});

/** Why what the list has of an entry cannot be read; null when it can. */
export function hindranceOf(names: EntryNames, entry: OpenedEntry): ToastWords | null {
  // Its own dialog says what was changed.
  if (entry.changed) return null;
  // Its lock may be over by this device's clock alone.
  if (entry.withheld || isLocked(entry) || (entry.leftOut && lockOf(entry) !== null)) return locked(entry);
  if (entry.content !== null) return null;
  if (entry.leftOut)
    return { title: `Failed to Open the ${names.noun}`, description: NOT_GIVEN_OUT, tone: 'destructive' };
  return {
    title: 'Failed to Decrypt',
    description: `Unable to decrypt this ${names.words}. Your encryption key may have changed.`,
    tone: 'destructive',
  };
}

/** The same of an entry of a list, once what its lock has set free was fetched. */
export async function fetchHindrance<N extends EntryType>(
  collection: Collection<N>,
  names: EntryNames,
  entry: N['entry'],
): Promise<ToastWords | null> {
  if (isLocked(entry) || !isWithoutWords(entry) || entry.changed) return hindranceOf(names, entry);
  try {
    // This device's clock may be ahead of the server's, and the server's counts.
    return hindranceOf(names, await collection.refetch(entry.id));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) {
      return { title: 'Failed to Open', description: sentenceOf(error), tone: 'destructive' };
    }
    collection.drop(entry.id);
    return goneOf(names);
  }
}

/**
 * Why the entry at the address does not open: what its lock has set free is fetched first, once for each address.
 * @returns whether that is under way, and the hindrance; null where it opens
 */
export function useAddressedHindrance<N extends EntryType>(
  collection: Collection<N>,
  names: EntryNames,
  addressed: N['entry'] | undefined,
): { isWaiting: boolean; hindrance: ToastWords | null } {
  const [asked, setAsked] = useState<{ sealId: string; outcome: ToastWords | null } | null>(null);
  const isAskedFor = addressed && isWithoutWords(addressed) && !addressed.changed && !isLocked(addressed);
  // Whoever came by the address has pressed nothing here.
  const waiting = isAskedFor && asked?.sealId !== addressed.sealId ? addressed : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once for each address
  useEffect(() => {
    if (!waiting?.sealId) return;
    const { sealId } = waiting;
    let hasLeft = false;
    void fetchHindrance(collection, names, waiting).then(
      (outcome) => !hasLeft && setAsked({ sealId, outcome }),
    );
    return () => {
      hasLeft = true;
    };
  }, [waiting?.sealId]);

  if (waiting || !addressed) return { isWaiting: waiting !== undefined, hindrance: null };
  return {
    isWaiting: false,
    hindrance: isAskedFor ? (asked?.outcome ?? null) : hindranceOf(names, addressed),
  };
}
