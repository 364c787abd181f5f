// Every kind of sealed row, as this browser knows it. A kind that is left out here does not compile.
import type { RowOf } from '../../../shared/sealed-facts.ts';
import {
  type KindName,
  kindNames,
  type ResealableKind,
  resealableKinds,
  sealedKinds,
} from '../../../shared/sealed-kinds.ts';
import { everyPage } from '../../api/every-page.ts';
import { breathKind } from './breath.ts';
import type { EntryKind, EntryKindName, EntryType } from './entry-kind.ts';
import { entryKinds } from './entry-kinds.ts';
import { ghostKind } from './ghost.ts';
import { legacyScrollKind } from './legacy-scroll.ts';
import { onboardingKind } from './onboarding.ts';
import { sacredKeyKind } from './sacred-key.ts';
import type { VaultKind } from './vault-kind.ts';
import { webhookKind } from './webhook.ts';

type Rows<Name extends EntryKindName> = EntryType & { row: RowOf[Name] };

/** A kind of entry, as one among all kinds. */
function ofEntries<Name extends EntryKindName>(name: Name): VaultKind<Name> {
  const { words, path, fetchPage, deleted } = entryKinds[name] as unknown as EntryKind<Rows<Name>>;
  return {
    words: words as unknown as VaultKind<Name>['words'],
    path,
    fetch: (api) => everyPage((before) => fetchPage(api, before)),
    fetchDeleted: (api) => everyPage((before) => deleted.fetchPage(api, before)),
    isOver: () => false,
  };
}

export const vaultKinds: { readonly [K in KindName]: VaultKind<K> } = {
  memory: ofEntries('memory'),
  relationship: ofEntries('relationship'),
  myth: ofEntries('myth'),
  onboarding: onboardingKind,
  'sacred-key': sacredKeyKind,
  webhook: webhookKind,
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
