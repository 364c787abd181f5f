// What an export says of a vault's entries: `entries.json` in the archive (docs/formats.md, "Archive"). Pure.
import * as z from 'zod/mini';
import { triggerTypes } from '../../../../shared/nouns/legacy.ts';
import { storyTypes } from '../../../../shared/nouns/myth.ts';
import { eventTypes } from '../../../../shared/nouns/relationship.ts';
import { recipientTypes, tells } from '../../../../shared/nouns/scroll-recipients.ts';
import type { ExportableKind, FieldName, KindName, Kinds } from '../../../../shared/sealed-kinds.ts';

const moment = z.iso.datetime();
const sealId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));
const [firstStory, ...otherStories] = storyTypes.map(({ value }) => value);
const [firstType, ...otherTypes] = eventTypes.map(({ value }) => value);

/** Details as JSON: of whatever version, with whatever keys (docs/formats.md, "Details"). */
const details = z.nullish(z.record(z.string(), z.unknown()));

const memory = z.object({
  /** The number of the entry's seal: what a second import knows it by. */
  sealId,
  title: z.string(),
  content: z.string(),
  details,
  timeLockUntil: z.nullable(moment),
  createdAt: moment,
  updatedAt: moment,
});
export type ExportedMemory = z.output<typeof memory>;

const relationship = z.object({
  sealId,
  personName: z.string(),
  /** Absent, like its weight, where they were sealed in details that could not be read. */
  eventType: z.optional(z.enum([firstType ?? 'moment', ...otherTypes])),
  emotionalWeight: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
  content: z.string(),
  details,
  createdAt: moment,
  updatedAt: moment,
});
export type ExportedRelationship = z.output<typeof relationship>;

const myth = z.object({
  sealId,
  title: z.string(),
  storyType: z.enum([firstStory ?? 'biography', ...otherStories]),
  content: z.string(),
  details,
  createdAt: moment,
  updatedAt: moment,
});
export type ExportedMyth = z.output<typeof myth>;

const letter = z.object({
  /** The number of the scroll's seal. */
  sealId,
  title: z.string(),
  content: z.string(),
  state: z.enum(['dormant', 'watching', 'released']),
  triggerType: z.enum(triggerTypes),
  triggerValue: z.string(),
  timeZone: z.string(),
  authorName: z.nullable(z.string()),
  recipients: z.array(
    z.object({ recipientType: z.enum(recipientTypes), recipientAddress: z.string(), tell: z.enum(tells) }),
  ),
  createdAt: moment,
});
/** A legacy scroll's letter. The copy releases nothing. */
export type ExportedLetter = z.output<typeof letter>;

const whisper = z.object({
  /** The number of the seal that its sender chose. */
  sealId,
  publicId: sealId,
  title: z.string(),
  content: z.string(),
  /** The address of the vault that signed it. */
  from: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  releasedAt: moment,
});
/** A whisper that another vault has left for this one. */
export type ExportedWhisper = z.output<typeof whisper>;

const leftOut = z.object({
  /** Memories whose lock still holds: the server does not give their words out. */
  locked: z.array(z.object({ title: z.nullable(z.string()), timeLockUntil: moment, createdAt: moment })),
  /** Entries that no key of this vault opens. */
  unreadable: z.array(
    z.object({ kind: z.enum(['memory', 'relationship', 'myth']), id: z.int(), createdAt: moment }),
  ),
  /** Entries that were deleted and are not erased yet: an export is of what is kept. */
  deleted: z.int(),
  /** Ghost entries with words left: reading them for an export would be a reading. */
  ghosts: z.int(),
  /** Whether a final breath is sealed. */
  breath: z.boolean(),
  /** Whether the three answers could not be opened. */
  answers: z.boolean(),
  /** One-time links that were not used: they are for somebody else, and stay where they are. */
  links: z.int(),
  /** Webhooks, which are addresses on this server. */
  webhooks: z.int(),
  /** Legacy scrolls whose letter does not open here. */
  scrolls: z.int(),
  /** Whispers that do not open here: they want a key card or a passphrase, or a key that was let go. */
  whispers: z.int(),
});
export type LeftOut = z.output<typeof leftOut>;

const schema = z.object({
  format: z.literal('latebra/entries'),
  v: z.literal(1),
  memories: z.array(memory),
  relationships: z.array(relationship),
  myths: z.array(myth),
  letters: z.array(letter),
  whispers: z.array(whisper),
  answers: z.nullable(
    z.object({ question1: z.string(), question2: z.string(), question3: z.string(), createdAt: moment }),
  ),
  leftOut,
});
export type EntriesFile = z.output<typeof schema>;

/** One entry of a part of the file. */
type EntryOf<Part> = Part extends (infer Entry)[] ? Entry : NonNullable<Part>;

/** Where a kind stands in the file, and by which name each of its sealed fields; null for what only opens others. */
type Section<K extends ExportableKind> = {
  [Name in keyof EntriesFile]: {
    part: Name;
    fields: { [F in FieldName<Kinds[K]>]: keyof EntryOf<EntriesFile[Name]> | null };
  };
}[keyof EntriesFile];

/** What an export contains: every kind that can be taken along, with every sealed field. */
export const exported = {
  memory: { part: 'memories', fields: { title: 'title', encryptedContent: 'content', details: 'details' } },
  relationship: {
    part: 'relationships',
    fields: { personName: 'personName', encryptedContent: 'content', details: 'details' },
  },
  myth: { part: 'myths', fields: { title: 'title', encryptedContent: 'content', details: 'details' } },
  onboarding: {
    part: 'answers',
    fields: { question1: 'question1', question2: 'question2', question3: 'question3' },
  },
  'legacy-scroll': { part: 'letters', fields: { title: 'title', encryptedScrollKey: null } },
} as const satisfies { [K in ExportableKind]: Section<K> };

/** Under which name each kind is counted where it is not taken along, as a whole or row by row. */
export const countedAs = {
  memory: ['locked', 'unreadable', 'deleted'],
  relationship: ['unreadable', 'deleted'],
  myth: ['unreadable', 'deleted'],
  onboarding: ['answers'],
  'sacred-key': ['links'],
  webhook: ['webhooks'],
  'legacy-scroll': ['scrolls'],
  ghost: ['ghosts'],
  breath: ['breath'],
} as const satisfies { [K in KindName]: readonly [keyof LeftOut, ...(keyof LeftOut)[]] };

export const ENTRIES_FILE = 'entries.json';

export function entriesToText(entries: Omit<EntriesFile, 'format' | 'v'>): string {
  return `${JSON.stringify({ format: 'latebra/entries', v: 1, ...entries } satisfies EntriesFile, null, 2)}\n`;
}

/** The entries of an archive; null when the text is not what `entriesToText` makes. */
export function entriesFromText(text: string): EntriesFile | null {
  try {
    const result = z.safeParse(schema, JSON.parse(text));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
