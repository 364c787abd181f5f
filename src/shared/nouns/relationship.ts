// The Relationship Ledger's entries: schemas, calls, and the words for kinds and weights that both sides need.
import * as z from 'zod/mini';
import { clear } from '../http/field-classes.ts';
import { createdAt, entryId, sealFields, sealReply, updatedAt, version } from '../http/wire.ts';
import { sealedKinds } from '../sealed-kinds.ts';
import { deletedCalls, entryCalls, sealedAt } from './entry-calls.ts';
import { type EventType, eventTypes } from './moment-kinds.ts';

const EVENT_TYPES = eventTypes.map(({ value }) => value) as [EventType, ...EventType[]];

const { personName, encryptedContent } = sealedKinds.relationship.fields;
const { details } = sealedKinds.relationship.optional;
/** One phrase for both: this product's browser seals the true ones in `details`, and sends neutral ones here. */
const SAYS = 'kind and weight of a moment that another program than this page recorded';
const eventType = clear(SAYS, z.enum(EVENT_TYPES, 'This is no kind of moment.'));
const weight = z
  .int('A weight is a whole number from 1 to 5.')
  .check(
    z.minimum(1, 'A weight is a whole number from 1 to 5.'),
    z.maximum(5, 'A weight is a whole number from 1 to 5.'),
  );
const emotionalWeight = clear(SAYS, weight);

export const relationshipSchema = z.object({
  id: entryId,
  personName,
  eventType,
  encryptedContent,
  details: z.nullable(details),
  emotionalWeight,
  createdAt,
  updatedAt,
  version,
  ...sealReply,
});
export type Relationship = z.output<typeof relationshipSchema>;

export const relationshipInput = z.object({
  personName,
  eventType,
  encryptedContent,
  details: z.nullish(details),
  /** Absent: `WEIGHT_DEFAULT`. */
  emotionalWeight: z.nullish(emotionalWeight),
  createdAt: sealedAt,
  ...sealFields,
});
export type RelationshipInput = z.output<typeof relationshipInput>;

export const relationshipPatch = z.object({
  version,
  personName,
  eventType,
  encryptedContent,
  /** Null takes them away. Absent: they stay, unless the patch names another key than theirs, which answers 409. */
  details: z.nullish(details),
  emotionalWeight,
  keyFingerprint: sealFields.keyFingerprint,
});
export type RelationshipPatch = z.output<typeof relationshipPatch>;

export const relationships = entryCalls('relationship-entries', {
  entry: relationshipSchema,
  input: relationshipInput,
  patch: relationshipPatch,
});

export const deletedRelationships = deletedCalls('relationship-entries', relationshipSchema);
