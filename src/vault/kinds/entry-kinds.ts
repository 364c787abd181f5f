// Every kind of entry, in the order in which a vault is told of. Whoever treats all of them alike walks this list.
import { restorableKinds, sealedKinds } from '../../shared/sealed-kinds.ts';
import type { EntryKind, EntryKindName, EntryType } from './entry-kind.ts';
import { memoryKind } from './memory.ts';
import { mythKind } from './myth.ts';
import { relationshipKind } from './relationship.ts';

export const entryKinds = {
  memory: memoryKind,
  relationship: relationshipKind,
  myth: mythKind,
} as const satisfies {
  // biome-ignore lint/suspicious/noExplicitAny: a kind takes entries of its own type alone, and each is of another
  [Name in EntryKindName]: EntryKind<any>;
};

export const entryKindNames = restorableKinds(sealedKinds);

/** Each kind, as what is written once for all of them takes it. */
export const everyEntryKind = entryKindNames.map(
  (name) => entryKinds[name] as unknown as EntryKind<EntryType>,
);
