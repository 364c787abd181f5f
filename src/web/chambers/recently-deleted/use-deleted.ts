// What was deleted from every list, opened in this browser, and what can be done with it.

import { ApiError } from '../../../vault/api/api-error.ts';
import { compareEntriesWithBook } from '../../../vault/book/compare-with-book.ts';
import { DELETED_LISTS } from '../../../vault/book/shown-lists.ts';
import { draftOf, type EntryKind, type EntryType } from '../../../vault/kinds/entry-kind.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { bringEach } from '../../../vault/outbox/bringing.ts';
import { entryWriter } from '../../../vault/outbox/entry-writer.ts';
import type { DeletedEntry } from '../../../vault/replica/deleted-rows.ts';
import { loadDeleted } from '../../../vault/replica/deleted-rows.ts';
import { changeRows, type ListedVault, type RowList } from '../../../vault/replica/row-list.ts';
import { dropDrafts } from '../../vault/session/drafts.ts';
import { useRows } from '../../vault/session/use-rows.ts';
import { useVault } from '../../vault/session/vault-context.ts';

/** A deleted entry of any list. */
export interface DeletedItem {
  /** Unique in the list of all, also between nouns. */
  id: number;
  kind: string;
  /** Null where it cannot be opened. */
  name: string | null;
  /** Whether the server shows it otherwise than it was sealed. */
  isChanged: boolean;
  /** Until when it is locked; null where it is not. */
  lockedUntil: string | null;
  deletedAt: string;
  erasedAt: string;
  /** @throws ApiError with the status 404 where it was restored or erased elsewhere */
  restore: () => Promise<void>;
  erase: () => Promise<void>;
}

/** @param place tells the numbers of the kinds apart */
async function itemsOf<N extends EntryType>(
  kind: EntryKind<N>,
  place: number,
  vault: ListedVault,
): Promise<DeletedItem[]> {
  const entries = await loadDeleted(kind, vault);
  compareEntriesWithBook(vault, kind.noun, entries, { isDeleted: true });
  const writer = entryWriter(kind, vault);
  return entries.map((entry: DeletedEntry<N>) => ({
    id: entry.id * everyEntryKind.length + place,
    kind: kind.words.title,
    name: kind.label(entry),
    isChanged: entry.changed !== null,
    lockedUntil: entry.withheld ? kind.lockedUntil(entry) : null,
    deletedAt: entry.deletedAt,
    erasedAt: entry.erasedAt,
    async restore() {
      await writer.restore(entry);
    },
    async erase() {
      await writer.erase(entry);
      dropDrafts(vault.user.id, draftOf(kind, entry.sealId));
    },
  }));
}

/** Everything that can be restored. @throws ApiError, TypeError */
async function loadItems(vault: ListedVault): Promise<DeletedItem[]> {
  const lists = await Promise.all(everyEntryKind.map((kind, place) => itemsOf(kind, place, vault)));
  // What was deleted last comes first.
  return lists.flat().sort((a, b) => (a.deletedAt < b.deletedAt ? 1 : a.deletedAt > b.deletedAt ? -1 : 0));
}

export const deletedList: RowList<DeletedItem> = { path: DELETED_LISTS, load: loadItems };

/** @returns false where the entry was restored or erased elsewhere before @throws ApiError, TypeError */
async function settled(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

export function useDeleted() {
  const vault = useVault();
  const list = useRows(deletedList, { refetchOnMount: 'always' });

  const drop = (...items: readonly DeletedItem[]) =>
    changeRows(vault, deletedList, (all) => all.filter(({ id }) => !items.some((item) => item.id === id)));

  return {
    list,

    /** @returns false where it was restored or erased elsewhere before @throws ApiError, TypeError */
    async restore(item: DeletedItem): Promise<boolean> {
      const done = await settled(item.restore);
      drop(item);
      return done;
    },

    /** As `restore`. */
    async erase(item: DeletedItem): Promise<boolean> {
      const done = await settled(item.erase);
      drop(item);
      return done;
    },

    /**
     * Erases exactly these, one by one: what was deleted elsewhere since they were shown stays.
     * @throws BringingStopped at the first that cannot be erased; those before are
     */
    async eraseAll(items: readonly DeletedItem[], tell: (done: number) => void): Promise<void> {
      const erased: DeletedItem[] = [];
      const works = items.map((item) => ({
        bring: async () => {
          const done = await settled(item.erase);
          erased.push(item);
          return done;
        },
      }));
      try {
        await bringEach(works, { tell, signal: new AbortController().signal });
      } finally {
        drop(...erased);
      }
    },
  };
}
