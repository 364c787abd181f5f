// The ledger's entries in the database: ciphertext, what kind of moment it was and how heavy.
import {
  type Relationship,
  type RelationshipInput,
  type RelationshipPatch,
  WEIGHT_DEFAULT,
} from '../../../shared/relationship.ts';
import { entryStore } from '../../entries/entry-store.ts';

export const relationshipStore = entryStore<Relationship, RelationshipInput, RelationshipPatch>({
  table: 'relationship_entries',
  fields: {
    personName: { column: 'person_name', type: 'text', sealed: true },
    eventType: { column: 'event_type', type: 'text' },
    encryptedContent: { column: 'encrypted_content', type: 'text', sealed: true },
    emotionalWeight: { column: 'emotional_weight', type: 'number', otherwise: WEIGHT_DEFAULT },
  },
  lock: null,
});
