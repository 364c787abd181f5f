// Every kind of sealed row, as this browser knows it. A kind that is left out here does not compile.
import {
  type KindName,
  kindNames,
  type ResealableKind,
  resealableKinds,
  sealedKinds,
} from '../../shared/sealed-kinds.ts';
import type { ApiClient } from '../api/api-client.ts';
import { everyPage } from '../api/every-page.ts';
import { breathKind } from './breath.ts';
import type { EntryKind, EntryKindName, EntryType } from './entry-kind.ts';
import { everyEntryKind } from './entry-kinds.ts';
import { ghostKind } from './ghost.ts';
import { guardianKitKind } from './guardian-kit.ts';
import { legacyScrollKind } from './legacy-scroll.ts';
import { onboardingKind } from './onboarding.ts';
import { sacredKeyKind } from './sacred-key.ts';
import type { VaultKind } from './vault-kind.ts';
import { webhookKind } from './webhook.ts';

/** A kind of entry, as one among all kinds. */
function ofEntries({ words, path, fetchPage, deleted }: EntryKind<EntryType>) {
  return {
    words: { ...words, one: `A ${words.noun}` },
    path,
    fetch: (api: ApiClient) => everyPage((before) => fetchPage(api, before)),
    fetchDeleted: (api: ApiClient) => everyPage((before) => deleted.fetchPage(api, before)),
    isOver: () => false,
  };
}

type VaultKinds = { readonly [K in KindName]: VaultKind<K> };
const kindsOfEntries = Object.fromEntries(everyEntryKind.map((kind) => [kind.noun, ofEntries(kind)]));

export const vaultKinds: VaultKinds = {
  ...(kindsOfEntries as unknown as Pick<VaultKinds, EntryKindName>),
  onboarding: onboardingKind,
  'sacred-key': sacredKeyKind,
  webhook: webhookKind,
  'guardian-kit': guardianKitKind,
  'legacy-scroll': legacyScrollKind,
  ghost: ghostKind,
  breath: breathKind,
};

const list = new Intl.ListFormat('en-GB');

/** Such as "every memory, every myth and the final breath": all kinds, as dialogs name them before something that cannot be undone. */
export const everythingInAVault = list.format(
  kindNames(sealedKinds).map((kind) => vaultKinds[kind].words.every),
);

/** What a regeneration seals under the new key. */
export const everythingSealedAnew = list.format(
  resealableKinds(sealedKinds).map((kind: ResealableKind) => vaultKinds[kind].words.sealedAnew),
);
