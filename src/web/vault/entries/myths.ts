// Myths, as screens handle them.

import { type MythType, mythKind } from '../../../vault/kinds/myth.ts';
import { type Collection, useCollection } from './collection.ts';

export { type MythDraft, mythKind, type OpenedMyth } from '../../../vault/kinds/myth.ts';

export const useMyths = (enabled?: boolean) => useCollection(mythKind, enabled);
export type Myths = Collection<MythType>;
