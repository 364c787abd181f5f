// Guardians' kits: what is sealed is the secret of each, its name, and whose sheets are whose.
import { guardianKits } from '../../shared/nouns/guardian-kits.ts';
import type { VaultKind } from './vault-kind.ts';

export const guardianKitKind: VaultKind<'guardian-kit'> = {
  words: {
    one: 'A guardians’ kit',
    noun: 'guardians’ kit',
    nouns: 'guardians’ kits',
    every: 'every guardians’ kit',
    sealedAnew: 'your guardians’ kits',
  },
  path: guardianKits.list.path,
  fetch: (api) => api.send(guardianKits.list, {}),
  fetchDeleted: null,
  isOver: () => false,
};
