// Myths: stories made of their author's own words, by the Loom or by a language model. Schemas, calls, and the choices that
// browser, server and Loom share. A list of myths is sealed like memories. What a model is asked is the one text that
// leaves the browser in the clear (`disclosed`).
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { createdAt, entryId, pageQuery, sealFields, sealReply, updatedAt, version } from '../http/wire.ts';
import { sealedKinds } from '../sealed-kinds.ts';
import { ENTRY_BODY_LIMIT, sealedAt } from './memory.ts';

/** What a story can be, in the order in which a form offers them. `asksPerson`: of whom, and for how long, is asked. */
export const storyTypes = [
  { value: 'biography', label: 'Sacred Biography', asksPerson: false },
  { value: 'relationship', label: 'Love Mythology', asksPerson: true },
  { value: 'breakup', label: 'Ending Ritual', asksPerson: true },
  { value: 'eulogy', label: 'Eulogy', asksPerson: true },
] as const;
export type StoryType = (typeof storyTypes)[number]['value'];
const STORY_TYPES = storyTypes.map(({ value }) => value) as [StoryType, ...StoryType[]];

export const storyLabel = (type: StoryType): string =>
  storyTypes.find(({ value }) => value === type)?.label ?? type;

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

export const myths = {
  list: call({
    method: 'GET',
    path: '/api/myth-stories',
    access: 'signed-in',
    query: pageQuery,
    reply: z.array(mythSchema),
  }),
  get: call({ method: 'GET', path: '/api/myth-stories/{id}', access: 'signed-in', reply: mythSchema }),
  create: call({
    method: 'POST',
    path: '/api/myth-stories',
    access: 'signed-in',
    status: 201,
    bodyLimit: ENTRY_BODY_LIMIT,
    body: mythInput,
    reply: mythSchema,
  }),
  update: call({
    method: 'PATCH',
    path: '/api/myth-stories/{id}',
    access: 'signed-in',
    bodyLimit: ENTRY_BODY_LIMIT,
    body: mythPatch,
    reply: mythSchema,
  }),
  remove: call({ method: 'DELETE', path: '/api/myth-stories/{id}', access: 'signed-in', status: 204 }),
};
