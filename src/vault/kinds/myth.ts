// Myths: stories of their author's own words. Without React: a worker opens them as well.
import * as z from 'zod/mini';
import { counted } from '../../shared/counted.ts';
import { deletedMyths, type Myth, myths } from '../../shared/nouns/myth.ts';
import { type StoryType, storyLabel, storyTypes } from '../../shared/nouns/story-types.ts';
import { detailsToJson } from '../entries/details.ts';
import { fold } from '../entries/search.ts';
import { callsOf } from './entry-calls.ts';
import { type EntryDraft, type EntryKind, exportedFields, type OpenedEntry } from './entry-kind.ts';

/** A myth as this browser knows it; its `name` is its title. */
export interface OpenedMyth extends OpenedEntry {
  storyType: StoryType;
}

const exported = z.object({
  ...exportedFields,
  title: z.string(),
  storyType: z.enum(storyTypes.map(({ value }) => value) as [StoryType, ...StoryType[]]),
});
export type ExportedMyth = z.output<typeof exported>;

export interface MythType {
  row: Myth;
  entry: OpenedMyth;
  field: 'title' | 'encryptedContent';
  clear: { storyType: StoryType; createdAt?: string };
  part: 'myths';
  exported: ExportedMyth;
}
export type MythDraft = EntryDraft<MythType>;

export const mythKind: EntryKind<MythType> = {
  ...callsOf<MythType>(myths, deletedMyths),
  noun: 'myth',
  words: {
    title: 'Myth',
    noun: 'myth',
    nouns: 'myths',
    also: 'stories myths eulogy',
    linked: { title: 'Myth', one: 'myth', many: 'myths' },
    found: 'Stories',
    every: 'every myth',
    sealedAnew: 'myths',
  },
  arrives: true,
  fields: ['title', 'encryptedContent'],
  opened({ title: _, encryptedContent: __, ...row }, [name = null, content = null], more) {
    const words = [name, content, storyLabel(row.storyType), ...more.details.tags];
    return { ...row, ...more, name, content, folded: fold(words.join('\n')) };
  },
  lockedUntil: () => null,
  label: ({ name }) => name,
  note: ({ storyType }) => storyLabel(storyType),
  shared: ({ storyType }, title, said) => ({ ...said, entryType: 'myth', title, storyType }),
  archive: {
    name: 'myths',
    schema: exported,
    counted: (count) => counted(count, 'myth', 'myths'),
    toArchive: ({ name, detailsText, storyType }) => ({
      title: name,
      details: detailsToJson(detailsText),
      storyType,
    }),
    toDraft: ({ title, content, storyType, createdAt }, details) => ({
      texts: { title, encryptedContent: content, details },
      clear: { storyType, createdAt },
    }),
    heading: ({ title }) => title,
    facts: ({ createdAt, storyType }) => [`Sealed ${createdAt}`, storyLabel(storyType)],
  },
};
