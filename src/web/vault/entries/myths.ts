// Myths, as screens handle them.
import { type Collection, useCollection } from './collection.ts';
import { type MythType, mythCodec } from './myth-codec.ts';

export { type MythDraft, mythCodec, type OpenedMyth } from './myth-codec.ts';

export const useMyths = (enabled?: boolean) => useCollection(mythCodec, enabled);
export type Myths = Collection<MythType>;
