// The ledger's recorded moments. Without React: a worker opens them as well.
import * as z from 'zod/mini';
import { counted } from '../../shared/counted.ts';
import { type EventType, eventLabel, eventTypes, weightOf } from '../../shared/nouns/moment-kinds.ts';
import { deletedRelationships, type Relationship, relationships } from '../../shared/nouns/relationship.ts';
import { detailsToJson } from '../entries/details.ts';
import {
  isSaid,
  kindOf,
  type Moment,
  NEUTRAL,
  readMoment,
  sealMoment,
  withoutMoment,
} from '../entries/sealed-moment.ts';
import { fold } from '../entries/search.ts';
import { callsOf } from './entry-calls.ts';
import { type EntryDraft, type EntryKind, exportedFields, type OpenedEntry } from './entry-kind.ts';

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
    noun: 'moment',
    nouns: 'moments',
    also: 'moments people persons',
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
    const isKnown = isSaid({ ...moment, detailsText: more.detailsText, changed: null });
    const said = isKnown ? [eventLabel(moment.kind), weightOf(moment.weight).label] : [];
    const words = [name, content, ...said, ...tags];
    return { ...row, ...more, ...moment, name, content, folded: fold(words.join('\n')) };
  },
  lockedUntil: () => null,
  label: (moment) => moment.name && `${kindOf(moment) ?? 'A moment'} with ${moment.name}`,
  note: (moment) => kindOf(moment) ?? 'A moment',
  shared: (moment, personName, said) => ({
    ...said,
    ...{ entryType: 'relationship', personName },
    ...(isSaid(moment) && { eventType: moment.kind, emotionalWeight: moment.weight }),
  }),
  archive: {
    name: 'relationships',
    schema: exported,
    counted: (count) => `${counted(count, 'moment', 'moments')} with people`,
    toArchive: (moment, isHidden) => ({
      personName: moment.name,
      details: detailsToJson(withoutMoment(moment.detailsText)),
      ...(isSaid(moment, isHidden) && { eventType: moment.kind, emotionalWeight: moment.weight }),
    }),
    toDraft({ personName, content, createdAt, ...said }, given) {
      const { eventType: kind = NEUTRAL.eventType, emotionalWeight: weight = NEUTRAL.emotionalWeight } = said;
      const { details, clear } = sealMoment(given, { kind, weight });
      return { texts: { personName, encryptedContent: content, details }, clear: { ...clear, createdAt } };
    },
    heading: ({ personName }) => personName,
    facts: (moment) => [`Recorded ${moment.createdAt}`, ...momentFacts(moment)],
  },
};
