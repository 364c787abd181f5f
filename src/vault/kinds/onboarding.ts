// The three answers of the ritual.
import { account } from '../../shared/nouns/account.ts';
import type { VaultKind } from './vault-kind.ts';

export const onboardingKind: VaultKind<'onboarding'> = {
  words: {
    one: 'Your three answers',
    noun: 'set of three answers',
    nouns: 'sets of three answers',
    isPlural: true,
    every: 'your three answers',
    sealedAnew: 'your three answers',
  },
  path: account.answers.path,
  fetch: async (api) => [(await api.send(account.answers, {})) ?? []].flat(),
  fetchDeleted: null,
  isOver: () => false,
};
