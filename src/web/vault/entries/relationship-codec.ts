// The ledger's recorded moments as entries of the vault. Without React: a worker opens them as well.

import * as z from 'zod/mini';
import { PAGE_MAX } from '../../../shared/http/wire.ts';
import {
  deletedRelationships,
  type EventType,
  eventLabel,
  type Relationship,
  relationships,
  weightOf,
} from '../../../shared/nouns/relationship.ts';
import type { EntryCodec, EntryDraft, OpenedEntry } from './entry-codec.ts';
import { isSaid, type Moment, readMoment } from './sealed-moment.ts';
import { fold } from './search.ts';

/** A recorded moment as this browser knows it; its `name` is the person's. Kind and weight are those that were sealed. */
export interface OpenedRelationship extends OpenedEntry, Moment {}

export interface RelationshipType {
  row: Relationship;
  entry: OpenedRelationship;
  field: 'personName' | 'encryptedContent';
  clear: { eventType: EventType; emotionalWeight: number; createdAt?: string };
}
export type RelationshipDraft = EntryDraft<RelationshipType>;

export const relationshipCodec: EntryCodec<RelationshipType> = {
  noun: 'relationship',
  path: relationships.list.path,
  arrives: false,
  fields: ['personName', 'encryptedContent'],
  fetchPage: (api, before) => api.sendForPage(relationships.list, { query: { limit: PAGE_MAX, before } }),
  fetchText: (api, before) => api.sendForText(relationships.list, { query: { limit: PAGE_MAX, before } }),
  rowsOf: (parsed) => z.parse(relationships.list.reply, parsed),
  fetchOne: (api, id) => api.send(relationships.get, { params: { id: String(id) } }),
  create: (api, body) => api.send(relationships.create, { body }),
  update: (api, id, body) => api.send(relationships.update, { params: { id: String(id) }, body }),
  remove: (api, id) => api.send(relationships.remove, { params: { id: String(id) } }),
  deleted: {
    fetchPage: (api, before) =>
      api.sendForPage(deletedRelationships.list, { query: { limit: PAGE_MAX, before } }),
    restore: (api, id) => api.send(deletedRelationships.restore, { params: { id: String(id) } }),
    erase: (api, id) => api.send(deletedRelationships.erase, { params: { id: String(id) } }),
  },
  opened({ personName: _, encryptedContent: __, ...row }, [name = null, content = null], more) {
    const { tags } = more.details;
    const moment = readMoment(row, more.detailsText);
    const isKnown = isSaid({ ...moment, detailsText: more.detailsText, changed: null });
    const said = isKnown ? [eventLabel(moment.kind), weightOf(moment.weight).label] : [];
    const words = [name, content, ...said, ...tags];
    return { ...row, ...more, ...moment, name, content, folded: fold(words.join('\n')) };
  },
  shared: (moment, personName, said) => ({
    ...said,
    ...{ entryType: 'relationship', personName },
    ...(isSaid(moment) && { eventType: moment.kind, emotionalWeight: moment.weight }),
  }),
};
