// What a story's choices are called on the screen, and how it is shown while it is written. Pure.
import { emotionalTones, ritualTones, STORY_TITLE_MAX, TONE_DEFAULT } from '../../../shared/nouns/myth.ts';
import type { StoryType } from '../../../shared/nouns/story-types.ts';
import { type StoryText, splitStory } from '../../../shared/story-text.ts';
import type { Made } from '../../../vault/entries/details.ts';
import type { Choice } from '../../ui/choice-fields.tsx';

const allTones = [...emotionalTones, ...ritualTones];

/** A tone's name; of one that is not known here, what it is called elsewhere. */
export const toneLabel = (tone: string): string =>
  allTones.find(({ value }) => value === tone)?.label ?? tone;

/** The tones that a form offers. @param rituals whether the further tones of a eulogy can be chosen */
export function toneChoices(type: StoryType | '', rituals: boolean): Choice[] {
  const further = type === 'eulogy' ? ritualTones : [];
  return [
    { value: '', label: `${toneLabel(TONE_DEFAULT)}, unless you choose` },
    ...emotionalTones,
    ...further.map((tone) => ({ ...tone, disabled: !rituals })),
  ];
}

/** Whether a type of story is told of somebody for a length of time. */
export const asksDuration = (type: StoryType | ''): boolean => type === 'relationship' || type === 'breakup';

/** Who made a story, as its reader is told. */
export const madeWords = ({ by, writer }: Made): string =>
  by === 'loom'
    ? 'Made by the Loom, from your words and lines of its own'
    : `Written by ${writer ?? 'a language model'}`;

/** A story of which more words may come: a line that has no end yet is taken for a title while it is short enough. */
export function growingStory(words: string): StoryText {
  const line = words.trim();
  return line.includes('\n') || line.length > STORY_TITLE_MAX ? splitStory(words) : { title: line, text: '' };
}
