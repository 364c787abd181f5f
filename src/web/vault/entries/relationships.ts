// The ledger's recorded moments, as screens handle them.
import { type Collection, useCollection } from './collection.ts';
import { type RelationshipType, relationshipCodec } from './relationship-codec.ts';

export { type OpenedRelationship, type RelationshipDraft, relationshipCodec } from './relationship-codec.ts';

export const useRelationships = (enabled?: boolean) => useCollection(relationshipCodec, enabled);
export type Relationships = Collection<RelationshipType>;
