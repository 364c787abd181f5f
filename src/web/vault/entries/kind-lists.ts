// What a vault holds, as dialogs name it before something that cannot be undone. Typed by the registry of kinds, so that no
// kind can be missing.
import {
  type KindName,
  kindNames,
  type ResealableKind,
  resealableKinds,
  sealedKinds,
} from '../../../shared/sealed-kinds.ts';

const every: Record<KindName, string> = {
  memory: 'every memory',
  relationship: 'every moment of the ledger',
  myth: 'every myth',
  onboarding: 'your three answers',
  'sacred-key': 'every one-time link',
  webhook: 'every webhook',
  'legacy-scroll': 'every legacy scroll',
  ghost: 'every ghost thought',
  breath: 'the final breath',
};

const resealed: Record<ResealableKind, string> = {
  memory: 'memories',
  relationship: 'moments',
  myth: 'myths',
  onboarding: 'your three answers',
  'sacred-key': 'the secrets of your one-time links',
  webhook: 'the names of your webhooks',
  'legacy-scroll': 'the titles and keys of your legacy scrolls',
  ghost: 'ghost thoughts that you have read',
};

const list = new Intl.ListFormat('en-GB');

/** Such as "every memory, every myth and the final breath": all kinds, in the order of the registry. */
export const everythingInAVault = list.format(kindNames(sealedKinds).map((kind) => every[kind]));

/** What a regeneration seals under the new key. */
export const everythingSealedAnew = list.format(resealableKinds(sealedKinds).map((kind) => resealed[kind]));

/** At the beginning of a sentence. */
export const capitalised = (words: string): string => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
