// Legacy scrolls: what is sealed under the vault’s key is the title and the own key of each.
import { PAGE_MAX } from '../../shared/http/wire.ts';
import { legacyScrolls } from '../../shared/nouns/legacy.ts';
import { everyPage } from '../api/every-page.ts';
import type { VaultKind } from './vault-kind.ts';

export const legacyScrollKind: VaultKind<'legacy-scroll'> = {
  words: {
    one: 'A legacy scroll',
    noun: 'legacy scroll',
    nouns: 'legacy scrolls',
    every: 'every legacy scroll',
    sealedAnew: 'the titles and keys of your legacy scrolls',
  },
  path: legacyScrolls.list.path,
  fetch: (api) =>
    everyPage((before) => api.sendForPage(legacyScrolls.list, { query: { limit: PAGE_MAX, before } })),
  fetchDeleted: null,
  isOver: () => false,
};
