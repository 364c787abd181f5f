// Myths as entries of the vault. Without React: a worker opens them as well.

import * as z from 'zod/mini';
import { PAGE_MAX } from '../../../shared/http/wire.ts';
import { deletedMyths, type Myth, myths, type StoryType, storyLabel } from '../../../shared/nouns/myth.ts';
import type { EntryCodec, EntryDraft, OpenedEntry } from './entry-codec.ts';
import { fold } from './search.ts';

/** A myth as this browser knows it; its `name` is its title. */
export interface OpenedMyth extends OpenedEntry {
  storyType: StoryType;
}

export interface MythType {
  row: Myth;
  entry: OpenedMyth;
  field: 'title' | 'encryptedContent';
  clear: { storyType: StoryType; createdAt?: string };
}
export type MythDraft = EntryDraft<MythType>;

export const mythCodec: EntryCodec<MythType> = {
  noun: 'myth',
  path: myths.list.path,
  arrives: true,
  fields: ['title', 'encryptedContent'],
  fetchPage: (api, before) => api.sendForPage(myths.list, { query: { limit: PAGE_MAX, before } }),
  fetchText: (api, before) => api.sendForText(myths.list, { query: { limit: PAGE_MAX, before } }),
  rowsOf: (parsed) => z.parse(myths.list.reply, parsed),
  fetchOne: (api, id) => api.send(myths.get, { params: { id: String(id) } }),
  create: (api, body) => api.send(myths.create, { body }),
  update: (api, id, body) => api.send(myths.update, { params: { id: String(id) }, body }),
  remove: (api, id) => api.send(myths.remove, { params: { id: String(id) } }),
  deleted: {
    fetchPage: (api, before) => api.sendForPage(deletedMyths.list, { query: { limit: PAGE_MAX, before } }),
    restore: (api, id) => api.send(deletedMyths.restore, { params: { id: String(id) } }),
    erase: (api, id) => api.send(deletedMyths.erase, { params: { id: String(id) } }),
  },
  opened({ title: _, encryptedContent: __, ...row }, [name = null, content = null], more) {
    const words = [name, content, storyLabel(row.storyType), ...more.details.tags];
    return { ...row, ...more, name, content, folded: fold(words.join('\n')) };
  },
  shared: ({ storyType }, title, said) => ({ ...said, entryType: 'myth', title, storyType }),
};
