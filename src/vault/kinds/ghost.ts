// Ghost thoughts, which are gone once they were read as often as their author wanted.
import { PAGE_MAX } from '../../shared/http/wire.ts';
import { ghostState, ghosts } from '../../shared/nouns/ghost.ts';
import { everyPage } from '../api/every-page.ts';
import type { VaultKind } from './vault-kind.ts';

export const ghostKind: VaultKind<'ghost'> = {
  words: {
    one: 'A ghost thought',
    noun: 'ghost thought',
    nouns: 'ghost thoughts',
    every: 'every ghost thought',
    sealedAnew: 'ghost thoughts that you have read',
  },
  path: ghosts.list.path,
  fetch: (api) => everyPage((before) => api.sendForPage(ghosts.list, { query: { limit: PAGE_MAX, before } })),
  fetchDeleted: null,
  isOver: (row, now) => ghostState(row, Date.parse(row.expiresAt), now) !== 'waiting',
};
