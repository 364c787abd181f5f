// Entries that the vault keeps in a list: fetched page by page, opened in this browser, sealed before they are sent.
// What was opened lives in memory alone. What one kind is, its own file says (vault/kinds).
import { hashKey, useQueries, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { newSealId } from '../../../crypto/seal.ts';
import { ApiError } from '../../../vault/api/api-error.ts';
import { DetailsHidden, whoseDetailsAreHidden } from '../../../vault/book/hidden-details.ts';
import { holdEntriesAgainstBook } from '../../../vault/book/hold-against.ts';
import { inBook, noteRow, withoutEntry } from '../../../vault/book/in-book.ts';
import { leafOfRow } from '../../../vault/book/leaf-of-row.ts';
import { factsNow, momentOf } from '../../../vault/entries/facts.ts';
import { openRowAsSealed, openRows } from '../../../vault/entries/opening.ts';
import type { OpenedPage, OpeningRequest } from '../../../vault/entries/opening-work.ts';
import { pagesBelow } from '../../../vault/entries/pages-ahead.ts';
import { resealBoxes, resealed, resealOld, sendResealed } from '../../../vault/entries/resealing.ts';
import { isBoxed } from '../../../vault/entries/row-opening.ts';
import {
  chosenOf,
  type EntryDraft,
  type EntryKind,
  type EntryType,
  entryFacts,
  isWhole,
  type OpenedEntry,
  type SealedRow,
  sealTexts,
} from '../../../vault/kinds/entry-kind.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { askWorker } from '../../workers.ts';
import { type OpenVault, useVault } from '../session/vault-context.ts';
import { findDeleted, forgetDrafts } from './deleted.ts';
import workerUrl from './opening-worker.ts?worker&url';

const keyOf = (kind: { path: string }, { user, fingerprint }: OpenVault) => [
  'opened',
  kind.path,
  user.id,
  fingerprint,
];

/** What happened last comes first; where nobody says when it happened, when it was written counts. */
const byAge = (a: OpenedEntry, b: OpenedEntry) =>
  b.at - a.at || (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id);

/** Aborted when the list is forgotten, as locking does: nothing may be put there afterwards. */
function untilForgotten(queryKey: readonly unknown[], { queryClient }: OpenVault) {
  const forgotten = new AbortController();
  const hash = hashKey(queryKey);
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'removed' && query.queryHash === hash) forgotten.abort();
  });
  return { signal: forgotten.signal, stop };
}

/** Fetches and opens every page. A list of one page is opened here; what follows it is a worker's, while this page draws. */
async function loadAll<N extends EntryType>(kind: EntryKind<N>, vault: OpenVault): Promise<N['entry'][]> {
  const queryKey = keyOf(kind, vault);
  const { signal, stop } = untilForgotten(queryKey, vault);
  try {
    const { reply, hasNext } = await kind.fetchPage(vault.api, undefined);
    const following = hasNext ? loadFollowing(kind, vault, reply, signal) : null;
    // If opening fails, what is on its way must not become an unhandled rejection.
    following?.catch(() => {});
    const first = await openRows(
      kind,
      reply.filter((row) => !isBoxed(kind, row)),
      vault,
    );
    signal.throwIfAborted();
    if (following) vault.queryClient.setQueryData(queryKey, first);
    const { entries, left } = (await following) ?? { entries: [], left: [] };
    const all = first.concat(
      entries,
      await openRows(
        kind,
        left.filter((row) => !isBoxed(kind, row)),
        vault,
      ),
    );
    signal.throwIfAborted();
    void refreshResealed(kind, all, vault);
    void forgetDrafts(kind, all, vault).catch(() => {});
    const boxes = [...reply, ...left].filter((row) => isBoxed(kind, row));
    const complete = await addBoxes(kind, all, boxes, vault, signal);
    holdEntriesAgainstBook(vault, kind.noun, complete);
    return complete.sort(byAge);
  } finally {
    stop();
  }
}

/** What follows a row: opened, or left as it came where that is for `openRows`. */
interface Following<N extends EntryType> {
  entries: N['entry'][];
  left: N['row'][];
}

/** Fetches every page after the first one and has a worker read and open them, while the next are on their way. */
async function loadFollowing<N extends EntryType>(
  kind: EntryKind<N>,
  { api, contentKey, fingerprint }: OpenVault,
  page: readonly N['row'][],
  signal: AbortSignal,
): Promise<Following<N>> {
  const worker = askWorker<OpeningRequest, OpenedPage | null>(workerUrl);
  signal.addEventListener('abort', worker.close, { once: true });
  /** Where the worker cannot, the rows are left to this page. */
  const open = async (text: string): Promise<Following<N>> => {
    const opened = await worker.ask({ noun: kind.noun, text, contentKey, fingerprint }).catch(() => null);
    signal.throwIfAborted();
    return (opened as Following<N> | null) ?? { entries: [], left: kind.rowsOf(JSON.parse(text)) };
  };
  try {
    const opening: Promise<Following<N>>[] = [];
    const [first, last] = [page[0]?.id ?? 0, page.at(-1)?.id ?? 0];
    for await (const text of pagesBelow((before) => kind.fetchText(api, before), last, first - last + 1)) {
      signal.throwIfAborted();
      const opened = open(text);
      opened.catch(() => {});
      opening.push(opened);
    }
    const pages = await Promise.all(opening);
    const known = new Set<number>();
    const isNew = ({ id }: { id: number }) => !known.has(id) && known.add(id);
    return {
      entries: pages.flatMap(({ entries }) => entries.filter(isNew)),
      left: pages.flatMap(({ left }) => left.filter(isNew)),
    };
  } finally {
    worker.close();
  }
}

/** How many rows of sealed boxes are opened before what they are is shown, and sealed anew: a quarter of a second. */
const BOXES_AT_ONCE = 20;

/**
 * Opens what a server has sealed, which takes a hundred times as long as what this vault has: the list is there before,
 * and grows. What is open is sealed anew at once, so that a page that is left half-way has less to do the next time.
 */
async function addBoxes<N extends EntryType>(
  kind: EntryKind<N>,
  all: N['entry'][],
  boxes: readonly N['row'][],
  vault: OpenVault,
  signal: AbortSignal,
): Promise<N['entry'][]> {
  const queryKey = keyOf(kind, vault);
  let entries = all;
  for (let at = 0; at < boxes.length; at += BOXES_AT_ONCE) {
    const shown = [...entries].sort(byAge);
    // What stands there already is not taken away for a moment, nor what was changed meanwhile.
    vault.queryClient.setQueryData<N['entry'][]>(queryKey, (before) => {
      const known = new Set(before?.map(({ id }) => id));
      if (before) return [...before, ...shown.filter(({ id }) => !known.has(id))].sort(byAge);
      // An empty list would say that nothing is kept.
      return shown.length > 0 ? shown : undefined;
    });
    const opened = await openRows(kind, boxes.slice(at, at + BOXES_AT_ONCE), vault);
    signal.throwIfAborted();
    entries = entries.concat(await resealBoxes(kind, opened, vault));
  }
  return entries;
}

/** How the list of a noun is asked for. */
const listQuery = <N extends EntryType>(kind: EntryKind<N>, vault: OpenVault) => ({
  queryKey: keyOf(kind, vault),
  queryFn: () => loadAll(kind, vault),
  structuralSharing: false,
});

/** Every entry of a noun, fetched and opened anew: for what must have them all, such as an export. */
export function loadCollection<N extends EntryType>(
  kind: EntryKind<N>,
  vault: OpenVault,
): Promise<N['entry'][]> {
  return vault.queryClient.fetchQuery({ ...listQuery(kind, vault), staleTime: 0 });
}

/** A new row as it is sent. A lock is spelled as the server will answer it. @throws SealError */
async function newRow<N extends EntryType>(
  kind: EntryKind<N>,
  { texts, clear }: Omit<EntryDraft<N>, 'choice'>,
  sealId: string,
  vault: OpenVault,
): Promise<Parameters<EntryKind<N>['create']>[1]> {
  const { createdAt, timeLockUntil, ...others } = clear as { createdAt?: string; timeLockUntil?: string };
  const lock = timeLockUntil && { timeLockUntil: momentOf(timeLockUntil) };
  const facts = factsNow(kind.noun, entryFacts({ ...others, ...lock, version: 1 }), createdAt);
  return { ...clear, ...lock, ...(await sealTexts(kind, texts, vault, sealId, facts)), sealId };
}

const create = <N extends EntryType>(
  kind: EntryKind<N>,
  vault: OpenVault,
  body: Parameters<EntryKind<N>['create']>[1],
): Promise<N['row']> =>
  kind.create(inBook(vault, { put: [{ kind: kind.noun, sealId: body.sealId, sealed: body }] }), body);

const restore = <N extends EntryType>(
  kind: EntryKind<N>,
  vault: OpenVault,
  { id, sealId }: Pick<SealedRow, 'id' | 'sealId'>,
  leaf: string,
): Promise<N['row']> =>
  kind.deleted.restore(inBook(vault, { restored: [{ kind: kind.noun, sealId, leaf }] }), id);

/**
 * Seals and keeps an entry that comes from elsewhere, under the seal number it has there. One that was deleted here and is
 * not erased yet is restored instead, as it was: its number is still taken.
 * @returns false when the vault has an entry of this number already
 */
export async function bringEntry<N extends EntryType>(
  kind: EntryKind<N>,
  vault: OpenVault,
  draft: Omit<EntryDraft<N>, 'choice'>,
  sealId: string,
): Promise<boolean> {
  try {
    const body = await newRow(kind, draft, sealId, vault);
    await kind.create(withoutEntry(vault), body);
    await noteRow(vault, { kind: kind.noun, sealId, sealed: body });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'seal-reused')) throw error;
    const deleted = await findDeleted(kind, vault, sealId);
    if (!deleted) return false;
    await restore(kind, vault, deleted, leafOfRow(kind.noun, deleted));
    return true;
  }
}

/** Writes an entry that the server has lost once more, under the seal number that it had. @throws ApiError, TypeError */
export async function writeAgain<N extends EntryType>(
  kind: EntryKind<N>,
  vault: OpenVault,
  draft: Omit<EntryDraft<N>, 'choice'>,
  sealId: string,
): Promise<void> {
  await create(kind, vault, await newRow(kind, draft, sealId, vault));
}

/** The entries of a noun that stand open in this page; none where its list was not wanted yet. */
export const openedEntries = <N extends EntryType>(
  kind: EntryKind<N>,
  vault: OpenVault,
): readonly N['entry'][] => vault.queryClient.getQueryData<N['entry'][]>(keyOf(kind, vault)) ?? [];

/** Has the list of a noun fetched again when it is next wanted, or now where it is shown. */
export function refreshCollection<N extends EntryType>(kind: EntryKind<N>, vault: OpenVault): Promise<void> {
  return vault.queryClient.invalidateQueries({ queryKey: keyOf(kind, vault) });
}

/** Seals anew what an older key had sealed; what is shown is then fetched again. */
async function refreshResealed<N extends EntryType>(
  kind: EntryKind<N>,
  all: readonly N['entry'][],
  vault: OpenVault,
): Promise<void> {
  if (await resealOld(kind, all, vault)) await refreshCollection(kind, vault);
}

/** A row or an entry that is changed: with what its author chose, which is sent again. */
type Changeable = Pick<SealedRow, 'id' | 'version' | 'sealId' | 'createdAt'> & { leaf?: string };

/** What was written before a retry is kept and locked already; what was written since is in no row yet. */
export class EarlierIsLocked extends Error {}

/**
 * The lists of all kinds of entries, in the order of `everyEntryKind`.
 * @param enabled false while nobody wants them: they are then not fetched
 */
export function useEveryList(enabled: boolean) {
  const vault = useVault();
  return useQueries({ queries: everyEntryKind.map((kind) => ({ ...listQuery(kind, vault), enabled })) });
}

/** @param enabled false while nobody wants the list: it is then not fetched */
export function useCollection<N extends EntryType>(kind: EntryKind<N>, enabled = true) {
  type Entry = N['entry'];
  const vault = useVault();
  const lastBody = useRef<{ of: string; body: Parameters<EntryKind<N>['create']>[1] } | null>(null);
  const list = useQuery({ ...listQuery(kind, vault), enabled });

  async function openOne(row: N['row']): Promise<Entry> {
    const [entry] = await openRows(kind, [row], vault);
    if (!entry) throw new Error('one row opens to one entry');
    return entry;
  }

  /** Shows an entry of the list as it is now. */
  const showAnew = (entry: Entry): void =>
    replaceInList((all) => all.map((other) => (other.id === entry.id ? entry : other)).sort(byAge));

  function replaceInList(change: (entries: Entry[]) => Entry[]): void {
    const queryKey = keyOf(kind, vault);
    const replace = () =>
      vault.queryClient.setQueryData<Entry[]>(queryKey, (entries) => entries && change(entries));
    replace();
    // A list that is on its way may have been read before this change, and would undo it here.
    if (vault.queryClient.isFetching({ queryKey }) > 0)
      void loadCollection(kind, vault).then(replace, () => {});
  }

  /** The same words and the same choice, tried again, are sent as the same bytes: a retry is known as one. */
  async function bodyOf(draft: EntryDraft<N>, sealId: string) {
    const of = JSON.stringify([sealId, draft.texts, draft.choice]);
    if (lastBody.current?.of !== of) {
      lastBody.current = { of, body: await newRow(kind, draft, sealId, vault) };
    }
    return lastBody.current.body;
  }

  /** @throws DetailsHidden */
  async function refuseHidden(entry: Changeable): Promise<void> {
    if ((await whoseDetailsAreHidden(vault, [entry])).size > 0) throw new DetailsHidden();
  }

  /**
   * What the draft does not choose anew is sent as it is, because it is sealed in with the texts.
   * @throws DetailsHidden also where they would stay: every text of an entry is sealed with the version of its row
   */
  async function change(entry: Changeable, draft: EntryDraft<N>) {
    await refuseHidden(entry);
    const clear = { ...chosenOf(kind, entry), ...draft.clear };
    const version = entry.version + 1;
    const facts = factsNow(kind.noun, entryFacts({ ...clear, version }), entry.createdAt);
    // Rows that came without a seal number cannot be opened, so they are never edited.
    const fields = await sealTexts(kind, draft.texts, vault, entry.sealId ?? newSealId(), facts);
    const put = [{ kind: kind.noun, sealId: entry.sealId, sealed: fields }];
    const body = { ...clear, ...fields, version: entry.version };
    return openOne(await kind.update(inBook(vault, { put }), entry.id, body));
  }

  return {
    kind,
    list,

    /** @param sealId the same for every try of one entry, so that a lost answer does not keep it twice */
    async create(draft: EntryDraft<N>, sealId: string): Promise<Entry> {
      let entry: Entry;
      try {
        entry = await openOne(await create(kind, vault, await bodyOf(draft, sealId)));
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'seal-reused')) throw error;
        // An earlier try had arrived and only its answer was lost: what was written since goes into that row.
        const rows = (await kind.fetchPage(vault.api, undefined)).reply;
        let earlier = rows.find((row) => row.sealId === sealId);
        if (!earlier) {
          // It was deleted elsewhere meanwhile: whoever writes it again wants it.
          const deleted = await findDeleted(kind, vault, sealId);
          if (!deleted) throw error;
          earlier = await restore(kind, vault, deleted, leafOfRow(kind.noun, deleted));
        }
        if (kind.fields.some((field) => earlier[field] === null)) throw new EarlierIsLocked();
        entry = await change({ ...earlier, createdAt: momentOf(Date.now()) }, draft);
      }
      lastBody.current = null;
      replaceInList((all) => [entry, ...all.filter(({ id }) => id !== entry.id)].sort(byAge));
      return entry;
    },

    async update(entry: Changeable, draft: EntryDraft<N>): Promise<Entry> {
      const changed = await change(entry, draft);
      showAnew(changed);
      return changed;
    },

    /**
     * Fetches an entry that another browser has changed, and shows it in the list.
     * @param known its number, and the version that is shown here
     * @returns null where it does not open as a whole, or was sealed as no newer version: then the list stays as it is
     */
    async fetchOther({ id, version }: Pick<Entry, 'id' | 'version'>): Promise<Entry | null> {
      const entry = await openOne(await kind.fetchOne(vault.api, id));
      if (!isWhole(entry) || entry.changed || entry.version <= version) return null;
      showAnew(entry);
      void refreshResealed(kind, [entry], vault);
      return entry;
    },

    /** Fetches one entry again, after its date. */
    async refetch(id: number): Promise<Entry> {
      const entry = await openOne(await kind.fetchOne(vault.api, id));
      showAnew(entry);
      void refreshResealed(kind, [entry], vault);
      return entry;
    },

    /** Fetches an entry that the server shows otherwise than it was sealed, and opens it as it was sealed. */
    async openAsSealed(id: number): Promise<Entry> {
      return openRowAsSealed(kind, await kind.fetchOne(vault.api, id), vault);
    },

    /**
     * Its owner says that an entry which arrived from outside is theirs: it is sealed under the present key.
     * @throws DetailsHidden
     */
    async adopt(entry: Entry): Promise<Entry> {
      await refuseHidden(entry);
      const anew = await resealed(kind, entry, vault);
      await sendResealed([{ sealId: entry.sealId, entry: anew }], vault, 'taken in');
      return this.refetch(entry.id);
    },

    /** Deletes an entry, which can be restored for a while; so can the draft of a change to it. */
    async remove({ id, sealId, leaf }: Pick<Entry, 'id' | 'sealId' | 'leaf'>): Promise<void> {
      await kind.remove(inBook(vault, { deleted: [{ kind: kind.noun, sealId, leaf }] }), id);
      this.drop(id);
    },

    /** Brings a deleted entry back. */
    async restore(deleted: Pick<Entry, 'id' | 'sealId' | 'leaf'>): Promise<Entry> {
      const entry = await openOne(await restore(kind, vault, deleted, deleted.leaf));
      replaceInList((all) => [entry, ...all.filter((other) => other.id !== deleted.id)].sort(byAge));
      void refreshResealed(kind, [entry], vault);
      return entry;
    },

    /** Takes an entry that is gone on the server out of the list. */
    drop(id: number): void {
      replaceInList((all) => all.filter((other) => other.id !== id));
    },
  };
}

/** A noun's entries, as a screen handles them. */
export type Collection<N extends EntryType> = ReturnType<typeof useCollection<N>>;
