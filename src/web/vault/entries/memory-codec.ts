// Memories as entries of the vault. Without React: a worker opens them as well.

import * as z from 'zod/mini';
import { PAGE_MAX } from '../../../shared/http/wire.ts';
import { deletedMemories, type Memory, memories } from '../../../shared/nouns/memory.ts';
import type { EntryCodec, EntryDraft, OpenedEntry } from './entry-codec.ts';
import { fold } from './search.ts';

/** A memory as this browser knows it; its `name` is its title. */
export interface OpenedMemory extends OpenedEntry {
  timeLockUntil: string | null;
}

export interface MemoryType {
  row: Memory;
  entry: OpenedMemory;
  field: 'title' | 'encryptedContent';
  clear: { timeLockUntil?: string | null; createdAt?: string };
}
export type MemoryDraft = EntryDraft<MemoryType>;

export const memoryCodec: EntryCodec<MemoryType> = {
  noun: 'memory',
  path: memories.list.path,
  arrives: true,
  fields: ['title', 'encryptedContent'],
  fetchPage: (api, before) => api.sendForPage(memories.list, { query: { limit: PAGE_MAX, before } }),
  fetchText: (api, before) => api.sendForText(memories.list, { query: { limit: PAGE_MAX, before } }),
  rowsOf: (parsed) => z.parse(memories.list.reply, parsed),
  fetchOne: (api, id) => api.send(memories.get, { params: { id: String(id) } }),
  create: (api, body) => api.send(memories.create, { body }),
  update: (api, id, body) => api.send(memories.update, { params: { id: String(id) }, body }),
  remove: (api, id) => api.send(memories.remove, { params: { id: String(id) } }),
  deleted: {
    fetchPage: (api, before) => api.sendForPage(deletedMemories.list, { query: { limit: PAGE_MAX, before } }),
    restore: (api, id) => api.send(deletedMemories.restore, { params: { id: String(id) } }),
    erase: (api, id) => api.send(deletedMemories.erase, { params: { id: String(id) } }),
  },
  opened({ title: _, encryptedContent: __, ...row }, [name = null, content = null], more) {
    const words = [name, content, ...more.details.tags];
    return { ...row, ...more, name, content, folded: fold(words.join('\n')) };
  },
  shared: (_, title, said) => ({ ...said, entryType: 'memory', title }),
};
