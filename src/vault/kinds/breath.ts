// The final breath, which its release takes away.
import { finalBreath } from '../../shared/nouns/final-breath.ts';
import type { VaultKind } from './vault-kind.ts';

export const breathKind: VaultKind<'breath'> = {
  words: {
    one: 'A final breath',
    noun: 'final breath',
    nouns: 'final breaths',
    every: 'the final breath',
    sealedAnew: null,
  },
  path: finalBreath.get.path,
  fetch: async (api) => [(await api.send(finalBreath.get, {})) ?? []].flat(),
  fetchDeleted: null,
  isOver: ({ releasedAt }) => releasedAt !== null,
};
