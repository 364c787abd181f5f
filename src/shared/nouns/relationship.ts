// The Relationship Ledger's entries: schemas, calls, and the words for kinds and weights that both sides need.
import * as z from 'zod/mini';
import { clear } from '../http/field-classes.ts';
import { createdAt, entryId, sealFields, sealReply, updatedAt, version } from '../http/wire.ts';
import { sealedKinds } from '../sealed-kinds.ts';
import { deletedCalls, entryCalls, sealedAt } from './entry-calls.ts';

/** What a recorded moment can be, in the order in which a form offers them. */
export const eventTypes = [
  { value: 'confession', label: 'Confession' },
  { value: 'argument', label: 'Argument' },
  { value: 'moment', label: 'Beautiful Moment' },
  { value: 'ending', label: 'Ending' },
  { value: 'beginning', label: 'Beginning' },
  { value: 'reconciliation', label: 'Reconciliation' },
  { value: 'betrayal', label: 'Betrayal' },
  { value: 'forgiveness', label: 'Forgiveness' },
] as const;
export type EventType = (typeof eventTypes)[number]['value'];

const EVENT_TYPES = eventTypes.map(({ value }) => value) as [EventType, ...EventType[]];

export function eventLabel(type: EventType): string {
  return eventTypes.find(({ value }) => value === type)?.label ?? type;
}

/** How heavy a moment was: from 1 to 5. A missing weight counts as `WEIGHT_DEFAULT`. */
export const weights = [
  { value: 1, label: 'Light', colour: 'blue' },
  { value: 2, label: 'Gentle', colour: 'blue' },
  { value: 3, label: 'Meaningful', colour: 'green' },
  { value: 4, label: 'Intense', colour: 'yellow' },
  { value: 5, label: 'Life-changing', colour: 'red' },
] as const;
export type Weight = (typeof weights)[number]['value'];
export const WEIGHT_DEFAULT: Weight = 3;

export function weightOf(value: number): (typeof weights)[number] {
  return weights.find((weight) => weight.value === value) ?? weights[2];
}

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
