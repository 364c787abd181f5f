// Entries that the vault keeps in a list: fetched page by page, opened in this browser, sealed before they are sent.
// What was opened lives in memory alone. What one noun is, its own file says (memories.ts, relationships.ts).
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { newSealId } from '../../../crypto/seal.ts';
import { ApiError } from '../../api/api-error.ts';
import { type OpenVault, useVault } from '../session/vault-context.ts';
import { dropDraft } from './drafts.ts';
import {
  draftOf,
  type EntryCodec,
  type EntryDraft,
  type EntryType,
  type OpenedEntry,
  type SealedRow,
  sealTexts,
} from './entry-codec.ts';
import { openRows } from './opening.ts';
import { resealed, resealOld, sendResealed } from './resealing.ts';

const keyOf = (kind: { path: string }, { user, fingerprint }: OpenVault) => [
  'opened',
  kind.path,
  user.id,
  fingerprint,
];

/** What happened last comes first; where nobody says when it happened, when it was written counts. */
const byAge = (a: OpenedEntry, b: OpenedEntry) =>
  b.at - a.at || (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id);

/** Fetches and opens every page; while one is opened the next is already on its way. */
async function loadAll<N extends EntryType>(kind: EntryCodec<N>, vault: OpenVault): Promise<N['entry'][]> {
  let all: N['entry'][] = [];
  let next: ReturnType<typeof kind.fetchPage> | null = kind.fetchPage(vault.api, undefined);
  while (next) {
    const page: Awaited<ReturnType<typeof kind.fetchPage>> = await next;
    next = page.hasNext ? kind.fetchPage(vault.api, page.reply.at(-1)?.id) : null;
    // If opening fails, the page on its way must not become an unhandled rejection.
    next?.catch(() => {});
    const first = all.length === 0;
    all = all.concat(await openRows(kind, page.reply, vault));
    if (first && next) vault.queryClient.setQueryData(keyOf(kind, vault), all);
  }
  void refreshResealed(kind, all, vault);
  return all.sort(byAge);
}

/** Every entry of a noun, fetched and opened anew: for what must have them all, such as an export. */
export function loadCollection<N extends EntryType>(
  kind: EntryCodec<N>,
  vault: OpenVault,
): Promise<N['entry'][]> {
  return vault.queryClient.fetchQuery({
    queryKey: keyOf(kind, vault),
    queryFn: () => loadAll(kind, vault),
    structuralSharing: false,
    staleTime: 0,
  });
}

/**
 * Seals and keeps an entry that comes from elsewhere, under the seal number it has there.
 * @returns false when the vault has an entry of this number already
 */
export async function bringEntry<N extends EntryType>(
  kind: EntryCodec<N>,
  vault: OpenVault,
  draft: Omit<EntryDraft<N>, 'choice'>,
  sealId: string,
): Promise<boolean> {
  try {
    await kind.create(vault.api, {
      ...draft.clear,
      ...(await sealTexts(kind, draft.texts, vault, sealId)),
      sealId,
    });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'seal-reused') return false;
    throw error;
  }
}

/** Has the list of a noun fetched again when it is next wanted, or now where it is shown. */
export function refreshCollection<N extends EntryType>(kind: EntryCodec<N>, vault: OpenVault): Promise<void> {
  return vault.queryClient.invalidateQueries({ queryKey: keyOf(kind, vault) });
}

/** Seals anew what an older key had sealed; what is shown is then fetched again. */
async function refreshResealed<N extends EntryType>(
  kind: EntryCodec<N>,
  all: readonly N['entry'][],
  vault: OpenVault,
): Promise<void> {
  if (await resealOld(kind, all, vault)) await refreshCollection(kind, vault);
}

/** What was written before a retry is kept and locked already; what was written since is in no row yet. */
export class EarlierIsLocked extends Error {}

/** @param enabled false while nobody wants the list: it is then not fetched */
export function useCollection<N extends EntryType>(kind: EntryCodec<N>, enabled = true) {
  type Entry = N['entry'];
  const vault = useVault();
  const lastBody = useRef<{ of: string; body: Parameters<EntryCodec<N>['create']>[1] } | null>(null);
  const list = useQuery({
    queryKey: keyOf(kind, vault),
    queryFn: () => loadAll(kind, vault),
    structuralSharing: false,
    enabled,
  });

  async function openOne(row: N['row']): Promise<Entry> {
    const [entry] = await openRows(kind, [row], vault);
    if (!entry) throw new Error('one row opens to one entry');
    return entry;
  }

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
      const body = { ...draft.clear, ...(await sealTexts(kind, draft.texts, vault, sealId)), sealId };
      lastBody.current = { of, body };
    }
    return lastBody.current.body;
  }

  async function change(entry: Pick<SealedRow, 'id' | 'version' | 'sealId'>, draft: EntryDraft<N>) {
    // Rows that came without a seal number cannot be opened, so they are never edited.
    const fields = await sealTexts(kind, draft.texts, vault, entry.sealId ?? newSealId());
    return openOne(
      await kind.update(vault.api, entry.id, { ...draft.clear, ...fields, version: entry.version }),
    );
  }

  return {
    kind,
    list,

    /** @param sealId the same for every try of one entry, so that a lost answer does not keep it twice */
    async create(draft: EntryDraft<N>, sealId: string): Promise<Entry> {
      let entry: Entry;
      try {
        entry = await openOne(await kind.create(vault.api, await bodyOf(draft, sealId)));
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'seal-reused')) throw error;
        // An earlier try had arrived and only its answer was lost: what was written since goes into that row.
        const rows = (await kind.fetchPage(vault.api, undefined)).reply;
        const earlier = rows.find((row) => row.sealId === sealId);
        if (!earlier) throw error;
        if (kind.fields.some((field) => earlier[field] === null)) throw new EarlierIsLocked();
        entry = await change(earlier, draft);
      }
      lastBody.current = null;
      replaceInList((all) => [entry, ...all.filter(({ id }) => id !== entry.id)].sort(byAge));
      return entry;
    },

    async update(entry: Pick<SealedRow, 'id' | 'version' | 'sealId'>, draft: EntryDraft<N>): Promise<Entry> {
      const changed = await change(entry, draft);
      replaceInList((all) => all.map((other) => (other.id === changed.id ? changed : other)).sort(byAge));
      return changed;
    },

    /** Fetches one entry again: after its date, or when somebody else has changed it. */
    async refetch(id: number): Promise<Entry> {
      const entry = await openOne(await kind.fetchOne(vault.api, id));
      replaceInList((all) => all.map((other) => (other.id === id ? entry : other)).sort(byAge));
      void refreshResealed(kind, [entry], vault);
      return entry;
    },

    /** Its owner says that an entry which arrived from outside is theirs: it is sealed under the present key. */
    async adopt(entry: Entry): Promise<Entry> {
      await sendResealed([await resealed(kind, entry, vault)], vault);
      return this.refetch(entry.id);
    },

    async remove(id: number): Promise<void> {
      await kind.remove(vault.api, id);
      this.drop(id);
    },

    /** Takes an entry that is gone on the server out of the list. */
    drop(id: number): void {
      dropDraft(vault.user.id, draftOf(kind, id));
      replaceInList((all) => all.filter((other) => other.id !== id));
    },
  };
}

/** A noun's entries, as a screen handles them. */
export type Collection<N extends EntryType> = ReturnType<typeof useCollection<N>>;
