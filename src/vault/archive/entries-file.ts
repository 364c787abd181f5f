// What an export says of a vault's entries: `entries.json` in the archive (docs/formats.md, "Archive"). Pure.
import * as z from 'zod/mini';
import { triggerTypes } from '../../shared/nouns/legacy.ts';
import { recipientTypes, tells } from '../../shared/nouns/scroll-recipients.ts';
import type { ExportableKind, KindName } from '../../shared/sealed-kinds.ts';
import {
  type EntryKind,
  type EntryKindName,
  type EntryType,
  type ExportedEntry,
  exportedFields,
} from '../kinds/entry-kind.ts';
import { entryKindNames, type entryKinds, everyEntryKind } from '../kinds/entry-kinds.ts';

const moment = z.iso.datetime();
const { sealId, details } = exportedFields;

const letter = z.object({
  /** The number of the scroll's seal. */
  sealId,
  title: z.string(),
  content: z.string(),
  /** What it says of its files, as the details of an entry do. */
  details,
  state: z.enum(['dormant', 'watching', 'released']),
  triggerType: z.enum(triggerTypes),
  triggerValue: z.string(),
  timeZone: z.string(),
  authorName: z.nullable(z.string()),
  recipients: z.array(
    z.object({
      recipientType: z.enum(recipientTypes),
      recipientAddress: z.string(),
      tell: z.enum(tells),
      /** What their author calls them; empty for nothing. */
      name: z.string(),
    }),
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
  /** As of a letter. */
  details,
  /** The address of the vault that signed it. */
  from: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  releasedAt: moment,
});
/** A whisper that another vault has left for this one. */
export type ExportedWhisper = z.output<typeof whisper>;

const leftOut = z.object({
  /** Entries whose lock still holds: the server does not give their words out. */
  locked: z.array(z.object({ title: z.nullable(z.string()), timeLockUntil: moment, createdAt: moment })),
  /** Entries that no key of this vault opens. */
  unreadable: z.array(z.object({ kind: z.enum(entryKindNames), id: z.int(), createdAt: moment })),
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
  /** Guardians’ kits, which open what is on this server. Absent for none. */
  kits: z.optional(z.int()),
  /** Legacy scrolls whose letter does not open here. */
  scrolls: z.int(),
  /** Files of the entries and letters that go along, which the server did not give out or that are not what was sealed, and of what. Absent for none. */
  lost: z.optional(z.array(z.object({ name: z.string(), of: z.string() }))),
  /** Files that entries which go along describe in a way that this version does not understand. Absent for none. */
  undescribed: z.optional(z.int()),
  /** Whispers that do not open here: they want a key card or a passphrase, or a key that was let go. */
  whispers: z.int(),
});
export type LeftOut = z.output<typeof leftOut>;

type EntryKinds = typeof entryKinds;
/** The lists of entries of an archive, by the names of the kinds' parts. */
type EntryParts = {
  [K in keyof EntryKinds as EntryKinds[K]['archive']['name']]: z.ZodMiniArray<
    EntryKinds[K]['archive']['schema']
  >;
};
const entryParts = Object.fromEntries(
  everyEntryKind.map(({ archive }) => [archive.name, z.array(archive.schema)]),
) as unknown as EntryParts;

const schema = z.object({
  format: z.literal('latebra/entries'),
  v: z.literal(1),
  ...entryParts,
  letters: z.array(letter),
  whispers: z.array(whisper),
  answers: z.nullable(
    z.object({ question1: z.string(), question2: z.string(), question3: z.string(), createdAt: moment }),
  ),
  /** Where in the archive the files of its entries and letters lie, by their numbers. Absent for none, and in archives from before there were any. */
  files: z.optional(z.array(z.object({ id: sealId, path: z.string() }))),
  leftOut,
});
export type EntriesFile = z.output<typeof schema>;

/** The entries of one kind in an archive. */
export const entriesOf = (file: Pick<EntriesFile, keyof EntryParts>, kind: EntryKind<EntryType>) =>
  file[kind.archive.name as keyof EntryParts] as ExportedEntry[];

/** Lists of entries by the names of their parts. @param list the entries of a kind */
export const partsOf = (list: (kind: EntryKind<EntryType>) => ExportedEntry[]) =>
  Object.fromEntries(everyEntryKind.map((kind) => [kind.archive.name, list(kind)])) as unknown as Pick<
    EntriesFile,
    keyof EntryParts
  >;

/** How many entries of each kind there are, in words; kinds of which there are none are left out. */
export const countedEntries = (file: Pick<EntriesFile, keyof EntryParts>): string[] =>
  everyEntryKind.flatMap((kind) => {
    const { length } = entriesOf(file, kind);
    return length > 0 ? [kind.archive.counted(length)] : [];
  });

/** Where what is no entry of a list stands in an archive; a kind that can be taken along and is left out here does not compile. */
export const exported = { onboarding: 'answers', 'legacy-scroll': 'letters' } as const satisfies {
  [K in Exclude<ExportableKind, EntryKindName>]: keyof EntriesFile;
};

/** Under which name what is no entry of a list is counted where it is not taken along. */
export const countedAs = {
  onboarding: 'answers',
  'sacred-key': 'links',
  webhook: 'webhooks',
  'guardian-kit': 'kits',
  'legacy-scroll': 'scrolls',
  ghost: 'ghosts',
  breath: 'breath',
} as const satisfies { [K in Exclude<KindName, EntryKindName>]: keyof LeftOut };

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
