// The calls of one kind of entry, by their rows of the contract.
import * as z from 'zod/mini';
import type { CallShape } from '../../shared/http/call.ts';
import { PAGE_MAX } from '../../shared/http/wire.ts';

import type { deletedMemories, MemoryInput, MemoryPatch, memories } from '../../shared/nouns/memory.ts';
import type { ApiClient, BookedClient } from '../api/api-client.ts';
import type { EntryCalls, EntryType } from './entry-kind.ts';

/** Rows of the contract as `entryCalls` and `deletedCalls` make them. */
type Calls = Record<keyof typeof memories, CallShape>;
type DeletedCalls = Record<keyof typeof deletedMemories, CallShape>;

/** The calls of a kind by their rows of the contract. */
export function callsOf<N extends EntryType>(calls: Calls, deletedCalls: DeletedCalls): EntryCalls<N> {
  // As far as these functions go, every list's calls are alike: bodies are sent as they were sealed.
  const { list, get, create, update, remove } = calls as typeof memories;
  const deleted = deletedCalls as typeof deletedMemories;
  const page = (before: number | undefined, limit = PAGE_MAX) => ({ query: { limit, before } });
  const one = (id: number) => ({ params: { id: String(id) } });
  const made = {
    path: list.path,
    fetchPage: (api: ApiClient, before: number | undefined, limit?: number) =>
      api.sendForPage(list, page(before, limit)),
    fetchText: (api: ApiClient, before: number) => api.sendForText(list, page(before)),
    rowsOf: (parsed: unknown) => z.parse(list.reply, parsed),
    fetchOne: (api: ApiClient, id: number) => api.send(get, one(id)),
    create: (api: BookedClient, body: MemoryInput) => api.send(create, { body }),
    update: (api: BookedClient, id: number, body: MemoryPatch) => api.send(update, { ...one(id), body }),
    remove: (api: BookedClient, id: number) => api.send(remove, one(id)),
    deleted: {
      fetchPage: (api: ApiClient, before: number | undefined) => api.sendForPage(deleted.list, page(before)),
      restore: (api: BookedClient, id: number) => api.send(deleted.restore, one(id)),
      erase: (api: BookedClient, id: number) => api.send(deleted.erase, one(id)),
    },
  };
  return made as unknown as EntryCalls<N>;
}
