// The ledger's entries in the database: ciphertext, what kind of moment it was and how heavy.

import { WEIGHT_DEFAULT } from '../../../shared/nouns/moment-kinds.ts';
import type {
  Relationship,
  RelationshipInput,
  RelationshipPatch,
} from '../../../shared/nouns/relationship.ts';
import { entryStore } from '../../entries/entry-store.ts';

export const relationshipStore = entryStore<
  'relationship',
  Relationship,
  RelationshipInput,
  RelationshipPatch
>({
  kind: 'relationship',
  clear: {
    eventType: { column: 'event_type', type: 'text' },
    emotionalWeight: { column: 'emotional_weight', type: 'number', otherwise: WEIGHT_DEFAULT },
  },
  lock: null,
});
