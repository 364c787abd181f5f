// Entries that the vault keeps in a list: fetched page by page, opened in this browser, sealed before they are sent.
// What was opened lives in memory alone. What one noun is, its own file says (memories.ts, relationships.ts).
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { OpenError } from '../../../crypto/errors.ts';
import { newSealId, openMany, seal } from '../../../crypto/seal.ts';
import { BATCH_MAX, type ResealedEntry, regeneration } from '../../../shared/regeneration.ts';
import { ApiError, send } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { dropDraft } from '../drafts.ts';
import { openingKey } from '../key-ring.ts';
import { type OpenVault, useVault } from '../vault-context.ts';

/** What every row of every list has. */
export interface SealedRow {
  id: number;
  version: number;
  createdAt: string;
  updatedAt: string;
  sealId: string | null;
  keyFingerprint: string | null;
}

/** What every entry has, once its row was opened as far as it can be. */
export interface OpenedEntry extends SealedRow {
  /** What it is found by: null when it cannot be opened. */
  name: string | null;
  /** Null when it cannot be opened, or is withheld. */
  content: string | null;
  /** Withheld by the server: its lock still holds there. */
  withheld: boolean;
  /** Everything that can be searched, folded (search.ts). */
  folded: string;
}

/** The types of one noun. */
export interface Noun {
  row: SealedRow;
  entry: OpenedEntry;
  /** The names of the sealed fields. */
  field: string;
  /** What is sent in the clear beside them. */
  clear: object;
}

/** What a writer gives. */
export interface EntryDraft<N extends Noun> {
  /** Plain words. */
  texts: Record<N['field'], string>;
  clear: N['clear'];
  /** The clear part as it was chosen: the same choice, tried again, means the same bytes. */
  choice: string;
}

type SealedTexts<N extends Noun> = Record<N['field'], string> & { keyFingerprint: string };

/** One noun: its calls, its sealed fields, and what an opened row is called. */
export interface Kind<N extends Noun> {
  /** The noun in a seal's context (docs/formats.md). */
  noun: 'memory' | 'relationship';
  path: string;
  /** The sealed fields by their names in the contract: the name first, then the content. */
  fields: readonly [name: N['field'] & keyof N['row'], content: N['field'] & keyof N['row']];
  fetchPage(before: number | undefined): Promise<{ reply: N['row'][]; hasNext: boolean }>;
  fetchOne(id: number): Promise<N['row']>;
  create(body: SealedTexts<N> & N['clear'] & { sealId: string }): Promise<N['row']>;
  update(id: number, body: SealedTexts<N> & N['clear'] & { version: number }): Promise<N['row']>;
  remove(id: number): Promise<void>;
  /** @param texts the opened fields in the order of `fields`; null where one cannot be opened */
  opened(row: N['row'], texts: readonly (string | null)[]): N['entry'];
}

/** The name under which an edit's draft is kept. */
export const draftOf = ({ noun }: { noun: string }, id: number) => `${noun}-${id}`;

/** A new task, so that the page can draw and answer between two chunks. */
function yieldTask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}
const PACE = { yieldTask, now: () => performance.now() };

/** The key of each row's fingerprint; null for those of which this vault has none. */
async function openingKeys(rows: readonly SealedRow[], vault: OpenVault) {
  const keys = new Map<string | null, CryptoKey | null>();
  for (const fingerprint of new Set(rows.map(({ keyFingerprint }) => keyFingerprint))) {
    const key = await openingKey(vault, fingerprint).catch((error: unknown) => {
      if (error instanceof OpenError) return null;
      throw error;
    });
    keys.set(fingerprint, key);
  }
  return keys;
}

/** Opens rows in order; a row that cannot be opened is kept, with nulls. */
async function openRows<N extends Noun>(
  { noun, fields, opened }: Kind<N>,
  rows: readonly N['row'][],
  vault: OpenVault,
): Promise<N['entry'][]> {
  const texts = new Map<N['row'], (string | null)[]>();
  for (const [fingerprint, key] of await openingKeys(rows, vault)) {
    const own = rows.filter((row) => row.keyFingerprint === fingerprint);
    const sealedFields = own.flatMap((row) =>
      fields.map((field) => ({
        sealed: String(row[field] ?? ''),
        context: { kind: noun, field: String(field), sealId: row.sealId ?? '' },
      })),
    );
    const outcomes = key ? await openMany(sealedFields, key, PACE) : [];
    own.forEach((row, i) => {
      const one = fields.map((_, j) => outcomes[i * fields.length + j]);
      texts.set(
        row,
        one.map((outcome) => (outcome?.ok ? outcome.text : null)),
      );
    });
  }
  return rows.map((row) => opened(row, texts.get(row) ?? []));
}

const keyOf = (kind: { path: string }, { user, fingerprint }: OpenVault) => [
  'opened',
  kind.path,
  user.id,
  fingerprint,
];

/** Newest first, also where entries were brought from elsewhere with their own dates. */
const byAge = (a: SealedRow, b: SealedRow) =>
  a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id;

/** Fetches and opens every page; while one is opened the next is already on its way. */
async function loadAll<N extends Noun>(kind: Kind<N>, vault: OpenVault): Promise<N['entry'][]> {
  let all: N['entry'][] = [];
  let next: ReturnType<typeof kind.fetchPage> | null = kind.fetchPage(undefined);
  while (next) {
    const page: Awaited<ReturnType<typeof kind.fetchPage>> = await next;
    next = page.hasNext ? kind.fetchPage(page.reply.at(-1)?.id) : null;
    // If opening fails, the page on its way must not become an unhandled rejection.
    next?.catch(() => {});
    const first = all.length === 0;
    all = all.concat(await openRows(kind, page.reply, vault));
    if (first && next) queryClient.setQueryData(keyOf(kind, vault), all);
  }
  void resealOld(kind, all, vault);
  return all.sort(byAge);
}

/** Every entry of a noun, fetched and opened anew: for what must have them all, such as an export. */
export function loadCollection<N extends Noun>(kind: Kind<N>, vault: OpenVault): Promise<N['entry'][]> {
  return queryClient.fetchQuery({
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
export async function bringEntry<N extends Noun>(
  kind: Kind<N>,
  vault: OpenVault,
  draft: Omit<EntryDraft<N>, 'choice'>,
  sealId: string,
): Promise<boolean> {
  try {
    await kind.create({ ...draft.clear, ...(await sealTexts(kind, draft.texts, vault, sealId)), sealId });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'seal-reused') return false;
    throw error;
  }
}

/** Has the list of a noun fetched again when it is next wanted, or now where it is shown. */
export function refreshCollection<N extends Noun>(kind: Kind<N>, vault: OpenVault): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keyOf(kind, vault) });
}

/** Seals a row's texts. @throws SealError */
async function sealTexts<N extends Noun>(
  { noun }: Kind<N>,
  texts: Record<N['field'], string>,
  { contentKey, fingerprint }: OpenVault,
  sealId: string,
): Promise<SealedTexts<N>> {
  const sealed = Object.entries<string>(texts).map(
    async ([field, text]) => [field, await seal(text, contentKey, { kind: noun, field, sealId })] as const,
  );
  const byField = Object.fromEntries(await Promise.all(sealed)) as Record<N['field'], string>;
  return { ...byField, keyFingerprint: fingerprint };
}

/**
 * What a key of the ring has opened is sealed under the present one, so that the ring is needed less and less. It is
 * nobody's wish, so nobody is told; what fails is tried again at the next visit.
 */
async function resealOld<N extends Noun>(
  kind: Kind<N>,
  all: readonly N['entry'][],
  vault: OpenVault,
): Promise<void> {
  const old = all.filter(
    ({ keyFingerprint, name, content }) =>
      keyFingerprint !== null && keyFingerprint !== vault.fingerprint && name !== null && content !== null,
  );
  if (old.length === 0) return;
  try {
    for (let at = 0; at < old.length; at += RESEAL_BATCH) {
      const entries = await Promise.all(
        old.slice(at, at + RESEAL_BATCH).map((entry) => resealed(kind, entry, vault)),
      );
      await send(regeneration.reseal, { body: { keyFingerprint: vault.fingerprint, entries } });
    }
    await queryClient.invalidateQueries({ queryKey: keyOf(kind, vault) });
  } catch {
    // The entries stay as they are, and open as they did.
  }
}

/** Few enough to stay under the largest body with entries of an ordinary size. */
const RESEAL_BATCH = Math.min(50, BATCH_MAX);

/** An opened entry, sealed under the key of `vault`: its seal number stays. @throws SealError */
export async function resealed<N extends Noun>(
  kind: Kind<N>,
  entry: N['entry'],
  vault: OpenVault,
): Promise<ResealedEntry> {
  const [name, content] = kind.fields;
  const texts = { [name]: entry.name ?? '', [content]: entry.content ?? '' } as Record<N['field'], string>;
  const { keyFingerprint: _, ...sealed } = await sealTexts(kind, texts, vault, entry.sealId ?? '');
  // The contract spells the fields of both nouns out; they are those of `kind.fields`.
  return { kind: kind.noun, id: entry.id, version: entry.version, ...sealed } as unknown as ResealedEntry;
}

/** What was written before a retry is kept and locked already; what was written since is in no row yet. */
export class EarlierIsLocked extends Error {}

export function useCollection<N extends Noun>(kind: Kind<N>) {
  type Entry = N['entry'];
  const vault = useVault();
  const lastBody = useRef<{ of: string; body: Parameters<Kind<N>['create']>[0] } | null>(null);
  const list = useQuery({
    queryKey: keyOf(kind, vault),
    queryFn: () => loadAll(kind, vault),
    structuralSharing: false,
  });

  async function openOne(row: N['row']): Promise<Entry> {
    const [entry] = await openRows(kind, [row], vault);
    if (!entry) throw new Error('one row opens to one entry');
    return entry;
  }

  function replaceInList(change: (entries: Entry[]) => Entry[]): void {
    queryClient.setQueryData<Entry[]>(keyOf(kind, vault), (entries) => entries && change(entries));
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
    return openOne(await kind.update(entry.id, { ...draft.clear, ...fields, version: entry.version }));
  }

  return {
    kind,
    list,

    /** @param sealId the same for every try of one entry, so that a lost answer does not keep it twice */
    async create(draft: EntryDraft<N>, sealId: string): Promise<Entry> {
      let entry: Entry;
      try {
        entry = await openOne(await kind.create(await bodyOf(draft, sealId)));
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'seal-reused')) throw error;
        // An earlier try had arrived and only its answer was lost: what was written since goes into that row.
        const rows = (await kind.fetchPage(undefined)).reply;
        const earlier = rows.find((row) => row.sealId === sealId);
        if (!earlier) throw error;
        if (kind.fields.some((field) => earlier[field] === null)) throw new EarlierIsLocked();
        entry = await change(earlier, draft);
      }
      lastBody.current = null;
      replaceInList((all) => [entry, ...all.filter(({ id }) => id !== entry.id)]);
      return entry;
    },

    async update(entry: Pick<SealedRow, 'id' | 'version' | 'sealId'>, draft: EntryDraft<N>): Promise<Entry> {
      const changed = await change(entry, draft);
      replaceInList((all) => all.map((other) => (other.id === changed.id ? changed : other)));
      return changed;
    },

    /** Fetches one entry again: after its date, or when somebody else has changed it. */
    async refetch(id: number): Promise<Entry> {
      const entry = await openOne(await kind.fetchOne(id));
      replaceInList((all) => all.map((other) => (other.id === id ? entry : other)));
      void resealOld(kind, [entry], vault);
      return entry;
    },

    async remove(id: number): Promise<void> {
      await kind.remove(id);
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
export type Collection<N extends Noun> = ReturnType<typeof useCollection<N>>;
