// What a story's choices are called on the screen, and how a model's words are parted into a title and a story. Pure.
import {
  emotionalTones,
  ritualTones,
  STORY_TITLE_MAX,
  type StoryType,
  TONE_DEFAULT,
} from '../../../shared/nouns/myth.ts';
import type { Choice } from '../../ui/choice-fields.tsx';
import type { Made } from '../../vault/entries/details.ts';

const allTones = [...emotionalTones, ...ritualTones];

/** A tone's name; of one that is not known here, what it is called elsewhere. */
export const toneLabel = (tone: string): string =>
  allTones.find(({ value }) => value === tone)?.label ?? tone;

/** The tones that a form offers. @param rituals whether the further tones of a eulogy can be chosen */
export function toneChoices(type: StoryType | '', rituals: boolean): Choice[] {
  const further = type === 'eulogy' ? ritualTones : [];
  return [
    { value: '', label: `Not chosen: ${toneLabel(TONE_DEFAULT).toLowerCase()}` },
    ...emotionalTones,
    ...further.map((tone) => ({ ...tone, disabled: !rituals })),
  ];
}

/** Whether a type of story is told of somebody for a length of time. */
export const asksDuration = (type: StoryType | ''): boolean => type === 'relationship' || type === 'breakup';

/** Who made a story, as its reader is told. */
export const madeWords = ({ by, writer }: Made): string =>
  by === 'loom' ? 'Weaving from your own words' : `Written by ${writer ?? 'a language model'}`;

/**
 * Parts what a model wrote: a title in the first line, an empty line, the story.
 * @returns an empty title where the first line can be none
 */
export function partStory(words: string): { title: string; text: string } {
  const [, first = '', rest] = /^\s*([^\n]*)(?:\n\s*\n([\s\S]*))?$/.exec(words) ?? [];
  const title = first
    .replace(/^#+\s*|[*_]{2}/g, '')
    .replace(/^["“]|["”]$/g, '')
    .trim();
  if (rest === undefined || title.length > STORY_TITLE_MAX) return { title: '', text: words.trim() };
  return { title, text: rest.trim() };
}

/** How many words stand there, as people count: by the spaces between them. */
export const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;
