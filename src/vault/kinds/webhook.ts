// Addresses to which other programs post: what is sealed is the name of each.
import { importWebhooks } from '../../shared/nouns/import-webhooks.ts';
import type { VaultKind } from './vault-kind.ts';

export const webhookKind: VaultKind<'webhook'> = {
  words: {
    one: 'A webhook',
    noun: 'webhook',
    nouns: 'webhooks',
    every: 'every webhook',
    sealedAnew: 'the names of your webhooks',
  },
  path: importWebhooks.list.path,
  fetch: (api) => api.send(importWebhooks.list, {}),
  fetchDeleted: null,
  isOver: () => false,
};
