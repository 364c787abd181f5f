// The vault's memories, fetched page by page and opened in this browser. It owns queries, sealing and opening; what
// was opened lives in memory alone.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { newSealId, openMany, seal } from '../../../crypto/seal.ts';
import { type Memory, memories } from '../../../shared/entry.ts';
import { PAGE_MAX } from '../../../shared/wire.ts';
import { ApiError, send, sendForPage } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { dropDraft } from '../../vault/drafts.ts';
import { type OpenVault, useVault } from '../../vault/vault-context.ts';
import { searchable } from './search.ts';

const KIND = 'memory';

/** The name under which an edit's draft is kept. */
export const draftOf = (id: number) => `memory-${id}`;

/** A memory as this browser knows it: what is null could not be opened, or may not be yet. */
export interface OpenedMemory extends Omit<Memory, 'title' | 'encryptedContent'> {
  title: string | null;
  /** Null while locked, or when it cannot be opened. */
  content: string | null;
  /** Withheld by the server: its lock still holds there. */
  withheld: boolean;
  /** Title and content, folded for searching. */
  folded: string;
}

/** A new task, so that the page can draw and answer between two chunks. */
function yieldTask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}
const PACE = { yieldTask, now: () => performance.now() };

/** Opens rows in order; a row that cannot be opened is kept, with nulls. */
export async function openMemories(rows: readonly Memory[], contentKey: CryptoKey): Promise<OpenedMemory[]> {
  const sealedFields = rows.flatMap(({ title, encryptedContent, sealId }) => [
    { sealed: title, context: { kind: KIND, field: 'title', sealId: sealId ?? '' } },
    {
      sealed: encryptedContent ?? '',
      context: { kind: KIND, field: 'encryptedContent', sealId: sealId ?? '' },
    },
  ]);
  const opened = await openMany(sealedFields, contentKey, PACE);
  return rows.map(({ title: _, encryptedContent, ...row }, i) => {
    const title = opened[2 * i];
    const content = opened[2 * i + 1];
    const memory = {
      ...row,
      title: title?.ok ? title.text : null,
      content: content?.ok ? content.text : null,
      withheld: encryptedContent === null,
    };
    return { ...memory, folded: searchable(memory) };
  });
}

async function openOne(row: Memory, vault: OpenVault): Promise<OpenedMemory> {
  const [memory] = await openMemories([row], vault.contentKey);
  if (!memory) throw new Error('one row opens to one memory');
  return memory;
}

const keyOf = ({ user, fingerprint }: OpenVault) => ['opened', memories.list.path, user.id, fingerprint];

/** Fetches and opens every page; while one is opened the next is already on its way. */
async function loadAll(vault: OpenVault): Promise<OpenedMemory[]> {
  const key = keyOf(vault);
  const fetchPage = (before?: number) => sendForPage(memories.list, { query: { limit: PAGE_MAX, before } });
  let all: OpenedMemory[] = [];
  let next: ReturnType<typeof fetchPage> | null = fetchPage();
  while (next) {
    const page: Awaited<ReturnType<typeof fetchPage>> = await next;
    next = page.hasNext ? fetchPage(page.reply.at(-1)?.id) : null;
    // If opening fails, the page on its way must not become an unhandled rejection.
    next?.catch(() => {});
    const first = all.length === 0;
    all = all.concat(await openMemories(page.reply, vault.contentKey));
    if (first && next) queryClient.setQueryData(key, all);
  }
  return all;
}

function replaceInList(vault: OpenVault, change: (list: OpenedMemory[]) => OpenedMemory[]): void {
  queryClient.setQueryData<OpenedMemory[]>(keyOf(vault), (list) => list && change(list));
}

/** What a writer gives: plain words, and until when they are locked (epoch milliseconds). */
export interface MemoryDraft {
  title: string;
  content: string;
  lockUntil: number | null;
  /** The lock as it was chosen: the same choice, tried again, means the same moment. */
  lockChoice: string;
}

/** What was written before a retry is kept and locked already; what was written since is in no row yet. */
export class EarlierIsLocked extends Error {}

export function useMemories() {
  const vault = useVault();
  const lastBody = useRef<{
    of: string;
    body: Awaited<ReturnType<typeof sealed>> & { sealId: string; timeLockUntil: string | null };
  } | null>(null);
  const list = useQuery({
    queryKey: keyOf(vault),
    queryFn: () => loadAll(vault),
    structuralSharing: false,
  });

  async function sealed({ title, content }: MemoryDraft, sealId: string) {
    const [sealedTitle, encryptedContent] = await Promise.all([
      seal(title, vault.contentKey, { kind: KIND, field: 'title', sealId }),
      seal(content, vault.contentKey, { kind: KIND, field: 'encryptedContent', sealId }),
    ]);
    return { title: sealedTitle, encryptedContent, keyFingerprint: vault.fingerprint };
  }

  /** The same words and the same choice of lock, tried again, are sent as the same bytes: a retry is known as one. */
  async function bodyOf(draft: MemoryDraft, sealId: string) {
    const of = JSON.stringify([sealId, draft.title, draft.content, draft.lockChoice]);
    if (lastBody.current?.of !== of) {
      const timeLockUntil = iso(draft.lockUntil);
      lastBody.current = { of, body: { ...(await sealed(draft, sealId)), sealId, timeLockUntil } };
    }
    return lastBody.current.body;
  }

  async function change(
    memory: Pick<Memory, 'id' | 'version' | 'sealId'>,
    draft: MemoryDraft,
  ): Promise<OpenedMemory> {
    // Rows that came without a seal number cannot be opened, so they are never edited.
    const fields = await sealed(draft, memory.sealId ?? newSealId());
    const lock = draft.lockUntil === null ? {} : { timeLockUntil: iso(draft.lockUntil) };
    const body = { ...fields, ...lock, version: memory.version };
    return openOne(await send(memories.update, { params: { id: String(memory.id) }, body }), vault);
  }

  const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

  return {
    list,

    /** @param sealId the same for every try of one memory, so that a lost answer does not keep it twice */
    async create(draft: MemoryDraft, sealId: string): Promise<OpenedMemory> {
      let memory: OpenedMemory;
      try {
        const body = await bodyOf(draft, sealId);
        memory = await openOne(await send(memories.create, { body }), vault);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'seal-reused')) throw error;
        // An earlier try had arrived and only its answer was lost: what was written since goes into that row.
        const rows = await send(memories.list, { query: { limit: PAGE_MAX } });
        const earlier = rows.find((row) => row.sealId === sealId);
        if (!earlier) throw error;
        if (earlier.encryptedContent === null) throw new EarlierIsLocked();
        memory = await change(earlier, draft);
      }
      lastBody.current = null;
      replaceInList(vault, (all) => [memory, ...all.filter(({ id }) => id !== memory.id)]);
      return memory;
    },

    async update(
      memory: Pick<OpenedMemory, 'id' | 'version' | 'sealId'>,
      draft: MemoryDraft,
    ): Promise<OpenedMemory> {
      const changed = await change(memory, draft);
      replaceInList(vault, (all) => all.map((other) => (other.id === changed.id ? changed : other)));
      return changed;
    },

    /** Fetches one memory again: after its date, or when somebody else has changed it. */
    async refetch(id: number): Promise<OpenedMemory> {
      const memory = await openOne(await send(memories.get, { params: { id: String(id) } }), vault);
      replaceInList(vault, (all) => all.map((other) => (other.id === id ? memory : other)));
      return memory;
    },

    async remove(id: number): Promise<void> {
      await send(memories.remove, { params: { id: String(id) } });
      dropDraft(vault.user.id, draftOf(id));
      replaceInList(vault, (all) => all.filter((other) => other.id !== id));
    },

    /** Takes a memory that is gone on the server out of the list. */
    drop(id: number): void {
      dropDraft(vault.user.id, draftOf(id));
      replaceInList(vault, (all) => all.filter((other) => other.id !== id));
    },
  };
}

export type Memories = ReturnType<typeof useMemories>;
