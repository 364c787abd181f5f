// Myths: stories made of their author's own words, by the Loom or by a language model. Schemas, calls, and the choices that
// browser, server and Loom share. A list of myths is sealed like memories. What a model is asked is the one text that
// leaves the browser in the clear (`disclosed`).
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, disclosed, message, open } from '../http/field-classes.ts';
import { createdAt, entryId, sealFields, sealReply, updatedAt, version } from '../http/wire.ts';
import { sealedKinds } from '../sealed-kinds.ts';
import { deletedCalls, entryCalls, sealedAt } from './entry-calls.ts';
import { type StoryType, storyTypes } from './story-types.ts';

const STORY_TYPES = storyTypes.map(({ value }) => value) as [StoryType, ...StoryType[]];

/** The tones of every story; a form that chooses none means `TONE_DEFAULT`. */
export const emotionalTones = [
  { value: 'healing', label: 'Healing' },
  { value: 'celebration', label: 'Celebration' },
  { value: 'transformation', label: 'Transformation' },
  { value: 'melancholy', label: 'Melancholy' },
  { value: 'epic', label: 'Epic' },
  { value: 'mystical', label: 'Mystical' },
] as const;
/** The further tones of a eulogy, for accounts with the entitlement `rituals`. */
export const ritualTones = [
  { value: 'requiem', label: 'Requiem' },
  { value: 'vigil', label: 'Vigil' },
  { value: 'blessing', label: 'Blessing' },
  { value: 'laughter', label: 'Laughter' },
] as const;
export type RitualTone = (typeof ritualTones)[number]['value'];
export type EmotionalTone = (typeof emotionalTones)[number]['value'] | RitualTone;
export const TONE_DEFAULT: EmotionalTone = 'mystical';
const TONES = [...emotionalTones, ...ritualTones].map(({ value }) => value) as [
  EmotionalTone,
  ...EmotionalTone[],
];

export const isRitualTone = (tone: EmotionalTone): tone is RitualTone =>
  ritualTones.some(({ value }) => value === tone);

/** The longest source of a story, in characters: some 30 pages. */
export const SOURCE_MAX = 60_000;
/** The longest story that a model may write, in characters. */
export const STORY_MAX = 40_000;
export const STORY_TITLE_MAX = 200;

const { title, encryptedContent } = sealedKinds.myth.fields;
const { details } = sealedKinds.myth.optional;
const storyType = clear('which kind of story was made', z.enum(STORY_TYPES, 'This is no kind of story.'));

export const mythSchema = z.object({
  id: entryId,
  title,
  storyType,
  encryptedContent,
  details: z.nullable(details),
  createdAt,
  updatedAt,
  version,
  ...sealReply,
});
export type Myth = z.output<typeof mythSchema>;

export const mythInput = z.object({
  title,
  storyType,
  encryptedContent,
  details: z.nullish(details),
  createdAt: sealedAt,
  ...sealFields,
});
export type MythInput = z.output<typeof mythInput>;

export const mythPatch = z.object({
  version,
  title,
  storyType,
  encryptedContent,
  /** Null takes them away. Absent: they stay, unless the patch names another key than theirs, which answers 409. */
  details: z.nullish(details),
  keyFingerprint: sealFields.keyFingerprint,
});
export type MythPatch = z.output<typeof mythPatch>;

const WRITER = 'the language model that the page names beforehand';
const said = (says: string, max: number) =>
  disclosed(says, WRITER, z.string().check(z.maxLength(max, 'This is too long.')));

/** What a story is made from. */
export const storyRequest = z.object({
  storyType: disclosed(
    'which kind of story a model is asked for',
    WRITER,
    z.enum(STORY_TYPES, 'This is no kind of story.'),
  ),
  sourceContent: disclosed(
    'the words that a story is made from',
    WRITER,
    z.string('Please select a story type and provide source content.').check(
      z.refine((value) => value.trim() !== '', 'Please select a story type and provide source content.'),
      z.maxLength(SOURCE_MAX, `A story is made from ${SOURCE_MAX} characters at most.`),
    ),
  ),
  personName: z.nullish(said('whom a story is about', 200)),
  relationshipDuration: z.nullish(said('for how long, in a story', 200)),
  /** Absent: `TONE_DEFAULT`. */
  emotionalTone: z.nullish(
    disclosed('the tone of a story', WRITER, z.enum(TONES, 'This is no tone of a story.')),
  ),
});
export type StoryRequest = z.output<typeof storyRequest>;

/** `writerId` is the model that the author was told of: another one gets no words (409 `writer-changed`). */
export const draftRequest = z.extend(storyRequest, {
  writerId: z.nullish(open('which language model may read the words', z.string().check(z.maxLength(64)))),
});
export type DraftRequest = z.output<typeof draftRequest>;

/** `loom`: no model is configured; the Loom composes, in the browser. `model`: the one that `writer` names. */
export const storyWriters = ['loom', 'model'] as const;

const writerSchema = z.object({
  engine: message('what makes stories here', z.enum(storyWriters)),
  /** Such as “llama3 at 127.0.0.1:11434”, as the form names it; empty without a model. */
  writer: message('which language model reads the words', z.string().check(z.maxLength(300))),
  /** It changes with the address and the model, so that consent to one is not consent to another. Empty without one. */
  writerId: message('which language model reads the words', z.string().check(z.maxLength(64))),
  perDay: message('how many stories a day an account may ask for', z.int().check(z.minimum(0))),
});
export type StoryWriter = z.output<typeof writerSchema>;

/**
 * One line of a draft's stream (application/x-ndjson): more words; the end, when all of them have come; or why no more
 * will come. A stream without one of the last two was cut off.
 */
export const draftLine = z.discriminatedUnion('type', [
  z.object({
    type: message('which line of a stream this is', z.literal('words')),
    words: disclosed('the words of a story', WRITER, z.string().check(z.maxLength(STORY_MAX))),
  }),
  z.object({ type: message('which line of a stream this is', z.literal('end')) }),
  z.object({
    type: message('which line of a stream this is', z.literal('error')),
    code: message('why a story ended', z.string().check(z.maxLength(64))),
    message: message('why a story ended', z.string().check(z.maxLength(500))),
  }),
]);
export type DraftLine = z.output<typeof draftLine>;

/** A whole story by the server: put into the vault, or told in this answer alone where the vault has no key to seal it to. */
export const generatedSchema = z.discriminatedUnion('stored', [
  z.object({ stored: open('whether a story was put into the vault', z.literal(true)), ...mythSchema.shape }),
  z.object({
    stored: open('whether a story was put into the vault', z.literal(false)),
    storyType,
    title: disclosed('the words of a story', WRITER, z.string().check(z.maxLength(STORY_MAX))),
    content: disclosed('the words of a story', WRITER, z.string().check(z.maxLength(STORY_MAX))),
    createdAt,
  }),
]);

const STORY_BODY_LIMIT = 512 * 1024;

export const myths = entryCalls('myth-stories', {
  entry: mythSchema,
  input: mythInput,
  patch: mythPatch,
});

export const deletedMyths = deletedCalls('myth-stories', mythSchema);

/** What makes stories. Apart from the list: these are the calls that an author's own words may go through. */
export const stories = {
  writer: call({
    method: 'GET',
    path: '/api/story-writer',
    access: 'signed-in',
    reply: writerSchema,
  }),
  /**
   * A story for clients that cannot compose or edit: made whole, sealed at once to the vault's recipient (docs/formats.md,
   * "Sealed box"), and kept. A vault without a key gets it in this answer alone. Without a model the Loom makes it on the server.
   */
  generate: call({
    method: 'POST',
    path: '/api/myth-stories/generate',
    access: 'signed-in',
    status: 201,
    bodyLimit: STORY_BODY_LIMIT,
    body: storyRequest,
    reply: generatedSchema,
  }),
  /** The same as a stream, for a draft that its author edits and seals: the server keeps none of it. Needs a model. */
  draft: call({
    method: 'POST',
    path: '/api/story-drafts',
    access: 'signed-in',
    bodyLimit: STORY_BODY_LIMIT,
    body: draftRequest,
    reply: draftLine,
    lines: true,
  }),
};
