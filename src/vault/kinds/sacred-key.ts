// One-time links: what is sealed is the secret of each, so that its owner can copy it again.
import { PAGE_MAX } from '../../shared/http/wire.ts';
import { shareableKeys } from '../../shared/nouns/sacred-key.ts';
import { everyPage } from '../api/every-page.ts';
import type { VaultKind } from './vault-kind.ts';

export const sacredKeyKind: VaultKind<'sacred-key'> = {
  words: {
    one: 'A one-time link',
    noun: 'one-time link',
    nouns: 'one-time links',
    every: 'every one-time link',
    sealedAnew: 'the secrets of your one-time links',
  },
  path: shareableKeys.list.path,
  fetch: (api) =>
    everyPage((before) => api.sendForPage(shareableKeys.list, { query: { limit: PAGE_MAX, before } })),
  fetchDeleted: null,
  isOver: () => false,
};
