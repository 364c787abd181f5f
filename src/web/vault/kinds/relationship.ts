// The ledger's recorded moments. Without React: a worker opens them as well.
import * as z from 'zod/mini';
import { type EventType, eventLabel, eventTypes, weightOf } from '../../../shared/nouns/moment-kinds.ts';
import {
  deletedRelationships,
  type Relationship,
  relationships,
} from '../../../shared/nouns/relationship.ts';
import { counted } from '../../ui/counted.ts';
import { detailsToJson } from '../entries/details.ts';
import {
  isNeutral,
  type Moment,
  NEUTRAL,
  readMoment,
  sealMoment,
  withoutMoment,
} from '../entries/sealed-moment.ts';
import { fold } from '../entries/search.ts';
import { callsOf, type EntryDraft, type EntryKind, exportedFields, type OpenedEntry } from './entry-kind.ts';

/** A recorded moment as this browser knows it; its `name` is the person's. Kind and weight are those that were sealed. */
export interface OpenedRelationship extends OpenedEntry, Moment {}

const exported = z.object({
  ...exportedFields,
  personName: z.string(),
  /** Absent, like its weight, where they were sealed in details that could not be read. */
  eventType: z.optional(z.enum(eventTypes.map(({ value }) => value) as [EventType, ...EventType[]])),
  emotionalWeight: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
});
export type ExportedRelationship = z.output<typeof exported>;

export interface RelationshipType {
  row: Relationship;
  entry: OpenedRelationship;
  field: 'personName' | 'encryptedContent';
  clear: { eventType: EventType; emotionalWeight: number; createdAt?: string };
  part: 'relationships';
  exported: ExportedRelationship;
}
export type RelationshipDraft = EntryDraft<RelationshipType>;

function momentFacts({ eventType, emotionalWeight }: ExportedRelationship): string[] {
  if (eventType === undefined || emotionalWeight === undefined)
    return ['Its kind and weight could not be read'];
  const weight = weightOf(emotionalWeight);
  return [eventLabel(eventType), `Weight ${weight.value} of 5, ${weight.label}`];
}

export const relationshipKind: EntryKind<RelationshipType> = {
  ...callsOf<RelationshipType>(relationships, deletedRelationships),
  noun: 'relationship',
  words: {
    title: 'Moment',
    linked: { title: 'Relationship', one: 'recorded moment', many: 'recorded moments' },
    found: 'Moments',
    every: 'every moment of the ledger',
    sealedAnew: 'moments',
  },
  arrives: false,
  fields: ['personName', 'encryptedContent'],
  opened({ personName: _, encryptedContent: __, ...row }, [name = null, content = null], more) {
    const { tags } = more.details;
    const moment = readMoment(row, more.detailsText);
    const words = [name, content, eventLabel(moment.kind), weightOf(moment.weight).label, ...tags];
    return { ...row, ...more, ...moment, name, content, folded: fold(words.join('\n')) };
  },
  lockedUntil: () => null,
  label: ({ name, kind }) => name && `${eventLabel(kind)} with ${name}`,
  note: ({ kind }) => eventLabel(kind),
  shared: ({ kind, weight }, personName, said) => ({
    ...said,
    ...{ entryType: 'relationship', personName, eventType: kind, emotionalWeight: weight },
  }),
  archive: {
    name: 'relationships',
    schema: exported,
    counted: (count) => `${counted(count, 'moment', 'moments')} with people`,
    toArchive({ name, detailsText, kind, weight }, isHidden) {
      // Neutral ones are sent beside those that are sealed: without the details they say nothing of the moment.
      const isUnknown = isNeutral({ kind, weight }) && (detailsText === undefined || isHidden);
      return {
        personName: name,
        details: detailsToJson(withoutMoment(detailsText)),
        ...(!isUnknown && { eventType: kind, emotionalWeight: weight }),
      };
    },
    toDraft({ personName, content, createdAt, ...said }, given) {
      const { eventType: kind = NEUTRAL.eventType, emotionalWeight: weight = NEUTRAL.emotionalWeight } = said;
      const { details, clear } = sealMoment(given, { kind, weight });
      return { texts: { personName, encryptedContent: content, details }, clear: { ...clear, createdAt } };
    },
    heading: ({ personName }) => personName,
    facts: (moment) => [`Recorded ${moment.createdAt}`, ...momentFacts(moment)],
  },
};
