// The one list of what a vault holds sealed under its key, by kind. What must know every kind is made from it or typed by
// it: key rotation, the key guard, export, sharing, what is withheld. A kind that is left out there does not compile.
import * as z from 'zod/mini';
import { clear, sealed, wrapped } from './http/field-classes.ts';
import { entryId, version } from './http/wire.ts';

/** The longest ciphertexts of any entry, in characters of base64: about 1.5 MB of writing. */
export const ENTRY_TITLE_MAX = 8 * 1024;
export const ENTRY_CONTENT_MAX = 2 * 1024 * 1024;
/** The longest sealed `details`: thirty files with their thumbnails stand there, and unknown keys are kept. */
export const ENTRY_DETAILS_MAX = 256 * 1024;
const ANSWER_MAX = 128 * 1024;

/** A string that carries ciphertext. */
type SealedField = z.ZodMiniType<string, string>;

/** Why a browser may not always have a row's ciphertext. */
export interface Withholding {
  /**
   * - `locked`: until a date that its author chose.
   * - `until-read`: a reading is counted; what was read can then be sealed anew.
   * - `until-burned`: the reading takes it away, so it is never sealed anew.
   */
  when: 'locked' | 'until-read' | 'until-burned';
  /** The name under which a regeneration counts such rows, and what a person is told of that number. */
  counted: string;
  says: string;
}

/** One kind of sealed row. Its name is the kind in the context of its seals (docs/formats.md, "Seal"). */
export interface SealedKind {
  /** `many` rows with a number each, or `one` at most in a vault. */
  rows: 'many' | 'one';
  /** What every row has, by the names in the contract and in the seals' contexts. With `optional`, three at most. */
  fields: Readonly<Record<string, SealedField>>;
  /** What a row may lack: null then. */
  optional: Readonly<Record<string, SealedField>>;
  /** Whether its owner edits it, so that a row sealed anew must be the version that was opened. */
  versioned: boolean;
  /**
   * What stands in the clear beside the ciphertext and is sealed in with it, by the names in the contract and in the order
   * of the bytes (sealed-facts.ts): its version, and what its author chose. What is not in this list says why in
   * unbound-facts.ts.
   */
  bound: readonly string[];
  /**
   * The fields by whose seals the book of a vault knows a row (docs/formats.md, "Book"): two at most, and none that its
   * owner is not shown. Every seal with facts says when it was made, so that one stands for those beside it.
   */
  marks: readonly string[];
  /** Whether an export takes its texts along. What it does not take it counts. */
  exportable: boolean;
  /** Whether a one-time link may lead to it. */
  shareable: boolean;
  /**
   * Its rows stand in a list of entries, from which a deleted one can be restored for a while (nouns/entry-calls.ts): under
   * which name they are counted, and what a person is told of that number. Null for what is no list of entries.
   */
  entries: { counted: string; says: string } | null;
  withheld: Withholding | null;
}
export type KindList = Readonly<Record<string, SealedKind>>;

export const sealedKinds = {
  memory: {
    rows: 'many',
    fields: {
      title: sealed('a memory’s title', ENTRY_TITLE_MAX),
      encryptedContent: sealed('a memory’s words', ENTRY_CONTENT_MAX),
    },
    // When it happened, its tags and its files, as JSON (docs/formats.md, "Details").
    optional: {
      details: sealed('when a memory happened, its tags, and what its files are', ENTRY_DETAILS_MAX),
    },
    versioned: true,
    bound: ['version', 'timeLockUntil'],
    marks: ['title', 'details'],
    exportable: true,
    shareable: true,
    entries: { counted: 'memories', says: 'how many memories you keep' },
    withheld: { when: 'locked', counted: 'lockedMemories', says: 'how many memories are locked' },
  },
  relationship: {
    rows: 'many',
    fields: {
      personName: sealed('the name of a person in your ledger', ENTRY_TITLE_MAX),
      encryptedContent: sealed('what happened with a person', ENTRY_CONTENT_MAX),
    },
    optional: {
      details: sealed(
        'what kind of moment something with a person was, how heavy, when it happened, its tags, and what its files are',
        ENTRY_DETAILS_MAX,
      ),
    },
    versioned: true,
    bound: ['version', 'eventType', 'emotionalWeight'],
    marks: ['personName', 'details'],
    exportable: true,
    shareable: true,
    entries: { counted: 'relationships', says: 'how many moments your ledger holds' },
    withheld: null,
  },
  myth: {
    rows: 'many',
    fields: {
      title: sealed('a myth’s title', ENTRY_TITLE_MAX),
      encryptedContent: sealed('a myth’s words', ENTRY_CONTENT_MAX),
    },
    optional: {
      details: sealed(
        'how a myth was made, when it happened, its tags, and what its files are',
        ENTRY_DETAILS_MAX,
      ),
    },
    versioned: true,
    bound: ['version', 'storyType'],
    marks: ['title', 'details'],
    exportable: true,
    shareable: true,
    entries: { counted: 'myths', says: 'how many myths you keep' },
    withheld: null,
  },
  onboarding: {
    rows: 'one',
    fields: {
      question1: sealed('your answer to the first question', ANSWER_MAX),
      question2: sealed('your answer to the second question', ANSWER_MAX),
      question3: sealed('your answer to the third question', ANSWER_MAX),
    },
    optional: {},
    versioned: false,
    bound: [],
    marks: ['question1', 'question2'],
    exportable: true,
    shareable: false,
    entries: null,
    withheld: null,
  },
  'sacred-key': {
    rows: 'many',
    // The link's secret and the entry's title as JSON, so that the owner can copy the link again.
    fields: {
      encryptedSecret: sealed('the secret of a one-time link, and its entry’s title', 64 * 1024),
    },
    optional: {},
    versioned: false,
    bound: ['entryType', 'expiresAt', 'hasPassphrase'],
    marks: ['encryptedSecret'],
    exportable: false,
    shareable: false,
    entries: null,
    withheld: null,
  },
  // An address to which another program posts: what its owner calls it.
  webhook: {
    rows: 'many',
    fields: { name: sealed('what you call a webhook', ENTRY_TITLE_MAX) },
    optional: {},
    versioned: false,
    bound: [],
    marks: ['name'],
    exportable: false,
    shareable: false,
    entries: null,
    withheld: null,
  },
  // A way for some people together to open the vault: its secret, what its author calls it, and whose sheets they are. The
  // vault's key under that secret stands beside it, and no key of the vault seals that (docs/guardians.md).
  'guardian-kit': {
    rows: 'many',
    fields: {
      details: sealed('the secret of a guardians’ kit, its name, and the names of its guardians', 16 * 1024),
    },
    optional: {},
    versioned: false,
    bound: ['needed', 'count', 'waitDays', 'address'],
    marks: ['details'],
    exportable: false,
    shareable: false,
    entries: null,
    withheld: null,
  },
  'legacy-scroll': {
    rows: 'many',
    // The letter is sealed under the scroll's own key, which stays.
    fields: {
      // Both have room for eight recipients, who are sealed in with them.
      title: sealed('a legacy scroll’s title', 2 * ENTRY_TITLE_MAX),
      encryptedScrollKey: wrapped(
        'a legacy scroll’s own key, sealed under your key',
        z.string().check(z.minLength(4), z.maxLength(16 * 1024)),
      ),
    },
    optional: {},
    versioned: true,
    bound: ['version', 'triggerType', 'triggerValue', 'timeZone', 'authorName', 'recipients'],
    // The letter is sealed for its recipients, who know no facts: its seal says nothing of which version it belongs to. The
    // title is sealed at one moment with the key.
    marks: ['encryptedScrollKey', 'encryptedContent'],
    exportable: true,
    shareable: false,
    entries: null,
    withheld: null,
  },
  ghost: {
    rows: 'many',
    fields: { encryptedContent: sealed('a ghost thought', ENTRY_CONTENT_MAX) },
    optional: {},
    versioned: false,
    bound: ['maxReads', 'expiresAt'],
    marks: [],
    exportable: false,
    shareable: false,
    entries: null,
    withheld: { when: 'until-read', counted: 'ghosts', says: 'how many ghost entries have words left' },
  },
  breath: {
    rows: 'one',
    fields: { encryptedContent: sealed('your final breath', ENTRY_CONTENT_MAX) },
    optional: {},
    versioned: false,
    bound: [],
    marks: [],
    exportable: false,
    shareable: false,
    entries: null,
    withheld: { when: 'until-burned', counted: 'breath', says: 'whether a final breath is sealed' },
  },
} as const satisfies KindList;

export type Kinds = typeof sealedKinds;
export type KindName<L extends KindList = Kinds> = keyof L & string;

/** The names of the kinds of a list that have a property of this type. */
type KindsWhere<L extends KindList, Shape> = {
  [K in KindName<L>]: L[K] extends Shape ? K : never;
}[KindName<L>];

export type ExportableKind<L extends KindList = Kinds> = KindsWhere<L, { exportable: true }>;
export type ShareableKind<L extends KindList = Kinds> = KindsWhere<L, { shareable: true }>;
export type RestorableKind<L extends KindList = Kinds> = KindsWhere<L, { entries: { counted: string } }>;
export type VersionedKind<L extends KindList = Kinds> = KindsWhere<L, { versioned: true }>;
export type WithheldKind<L extends KindList = Kinds> = KindsWhere<L, { withheld: Withholding }>;
type BurnedKind<L extends KindList> = KindsWhere<L, { withheld: { when: 'until-burned' } }>;
/** The kinds whose rows can be sealed anew under another key. */
export type ResealableKind<L extends KindList = Kinds> = Exclude<KindName<L>, BurnedKind<L>>;

/** The names under which what is withheld is counted. */
export type WithheldCount<L extends KindList = Kinds> = {
  [K in KindName<L>]: L[K]['withheld'] extends { counted: infer Name extends string } ? Name : never;
}[KindName<L>];

/** The names under which entries are counted. */
export type EntriesCount = Kinds[RestorableKind]['entries']['counted'];

/** Something for each count of entries, by its name. */
export const forEachCount = <T>(make: (count: EntriesCount, says: string) => T) =>
  Object.fromEntries(
    restorableKinds(sealedKinds).map((kind) => {
      const { counted, says } = sealedKinds[kind].entries;
      return [counted, make(counted, says)];
    }),
  ) as Record<EntriesCount, T>;

/** The names of what is sealed in with the ciphertext of a kind. */
export type BoundName<K extends SealedKind> = K['bound'][number];

/** The names of all sealed fields of a kind. */
export type FieldName<K extends SealedKind> = (keyof K['fields'] | keyof K['optional']) & string;

/** The texts of a kind by the names of its fields; null where an optional one is not there. */
export type TextsOf<K extends SealedKind> = { [F in keyof K['fields']]: string } & {
  [F in keyof K['optional']]: string | null;
};

/** The fields by which the book knows a row of a kind. */
export const markNames = (kind: KindName): readonly string[] => sealedKinds[kind].marks;

export const kindNames = <L extends KindList>(kinds: L) => Object.keys(kinds) as KindName<L>[];

/** The names of all sealed fields of a kind: those that every row has first. */
export const fieldNames = <K extends SealedKind>({ fields, optional }: K) =>
  [...Object.keys(fields), ...Object.keys(optional)] as FieldName<K>[];

const isResealable = ({ withheld }: SealedKind) => withheld?.when !== 'until-burned';

export const resealableKinds = <L extends KindList>(kinds: L) =>
  kindNames(kinds).filter((name) => isResealable(kinds[name] as SealedKind)) as ResealableKind<L>[];

export const shareableKinds = <L extends KindList>(kinds: L) =>
  kindNames(kinds).filter((name) => kinds[name]?.shareable) as ShareableKind<L>[];

export const restorableKinds = <L extends KindList>(kinds: L) =>
  kindNames(kinds).filter((name) => kinds[name]?.entries) as RestorableKind<L>[];

/** A row sealed anew under another key, with the version that the browser saw. Its seal number stays. */
export type Resealed<L extends KindList = Kinds> = {
  [K in ResealableKind<L>]: { kind: K } & (L[K]['rows'] extends 'many' ? { id: number } : unknown) &
    (L[K]['versioned'] extends true ? { version: number } : unknown) &
    TextsOf<L[K]>;
}[ResealableKind<L>];

/** The schema of `Resealed`. An optional field is named also where there is none: one that is forgotten is refused. */
export function resealedSchema<L extends KindList>(kinds: L): z.ZodMiniType<Resealed<L>, Resealed<L>> {
  const options = resealableKinds(kinds).map((name) => {
    const { rows, versioned, fields, optional } = kinds[name] as SealedKind;
    const mayLack = Object.entries(optional).map(([field, schema]) => [field, z.nullable(schema)]);
    return z.object({
      kind: clear('which kind of entry is sealed anew', z.literal(name)),
      ...(rows === 'many' && { id: entryId }),
      ...(versioned && { version }),
      ...fields,
      ...Object.fromEntries(mayLack),
    });
  });
  const schema: unknown = z.discriminatedUnion('kind', options as [(typeof options)[number]]);
  return schema as z.ZodMiniType<Resealed<L>, Resealed<L>>;
}

/** The schema of the numbers that say what is withheld. */
export function withheldSchema<L extends KindList>(kinds: L) {
  const counts = kindNames(kinds).flatMap((name) => {
    const { withheld } = kinds[name] as SealedKind;
    return withheld ? [[withheld.counted, clear(withheld.says, z.int())] as const] : [];
  });
  const schemas: unknown = Object.fromEntries(counts);
  return schemas as Record<WithheldCount<L>, z.ZodMiniType<number, number>>;
}
