// The ledger's recorded moments, as screens handle them.

import { type RelationshipType, relationshipKind } from '../../../vault/kinds/relationship.ts';
import { type Collection, useCollection } from './collection.ts';

export {
  type OpenedRelationship,
  type RelationshipDraft,
  relationshipKind,
} from '../../../vault/kinds/relationship.ts';

export const useRelationships = (enabled?: boolean) => useCollection(relationshipKind, enabled);
export type Relationships = Collection<RelationshipType>;
