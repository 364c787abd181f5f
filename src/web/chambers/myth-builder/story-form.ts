// What is written and chosen on the way to a myth, and what of it makes a request. Pure; the form is kept sealed, as a draft.
import {
  type EmotionalTone,
  isRitualTone,
  SOURCE_MAX,
  type StoryRequest,
} from '../../../shared/nouns/myth.ts';
import { type StoryType, storyTypes } from '../../../shared/nouns/story-types.ts';
import type { Made } from '../../../vault/entries/details.ts';
import type { DetailsForm } from '../../vault/entries/details-fields.tsx';
import { asksDuration } from './story-words.ts';
import type { WriterName } from './writer-choice.tsx';

/** A story that was made and is not sealed yet. */
export interface StoryDraft {
  storyType: StoryType;
  title: string;
  text: string;
  made: Made;
  /** How the Loom has taken the words; null of a model's story. */
  form: 'woven' | 'plain' | 'verbatim' | null;
  /** Its author stopped it, or it was cut off. */
  unfinished: boolean;
  /** Its author has changed it since. */
  edited: boolean;
}

export interface StoryForm extends DetailsForm {
  /** Empty until one is chosen. */
  storyType: StoryType | '';
  source: string;
  person: string;
  duration: string;
  /** Empty for the one that is meant without a choice. */
  tone: EmotionalTone | '';
  writer: WriterName;
  /** The keys of the entries that a eulogy is made from; null for those that are chosen by themselves. */
  picked: string[] | null;
  seed: number;
  story: StoryDraft | null;
}

export const emptyForm: StoryForm = {
  ...{ storyType: '', source: '', person: '', duration: '', tone: '', writer: 'loom' },
  ...{ picked: null, seed: 1, story: null, day: '', time: '', tags: '' },
};

/** As long as the contract takes them. */
export const NAME_MAX = 200;

const asksPerson = (type: StoryType) =>
  storyTypes.some(({ value, asksPerson }) => value === type && asksPerson);

/**
 * What a form asks for: only what it shows.
 * @param source the words, with those of chosen entries
 * @returns null where the type or the words are missing
 */
export function requestOf(form: StoryForm, source: string): StoryRequest | null {
  const { storyType, person, duration, tone } = form;
  if (storyType === '' || source.trim() === '') return null;
  const name = person.trim();
  const length = duration.trim();
  return {
    storyType,
    sourceContent: source,
    ...(asksPerson(storyType) && name !== '' && { personName: name }),
    ...(asksDuration(storyType) && length !== '' && { relationshipDuration: length }),
    ...(tone !== '' && (storyType === 'eulogy' || !isRitualTone(tone)) && { emotionalTone: tone }),
  };
}

/** Why words are too long for a story, in a sentence; undefined when they are not. */
const lengthProblem = (source: string): string | undefined =>
  source.length > SOURCE_MAX
    ? `These are ${source.length.toLocaleString('en-GB')} characters. A story is made from ${SOURCE_MAX.toLocaleString('en-GB')} at most.`
    : undefined;

/** What is said beside the fields of a request. */
export interface Problems {
  type?: string | undefined;
  source?: string | undefined;
  tone?: string | undefined;
  consent?: string | undefined;
}

/** What is missing where nothing can be asked for yet. */
export const missingIn = ({ storyType }: StoryForm, source: string): Problems => ({
  type: storyType === '' ? 'Choose what kind of story it becomes.' : undefined,
  source:
    source.trim() !== ''
      ? undefined
      : storyType === 'eulogy'
        ? 'Tick at least one entry above, or write something here.'
        : 'Write here what the story is made from.',
});

/** What is wrong with a request; null for nothing. @param rituals whether the tones of rituals are open to its author */
export function problemsOf(
  { emotionalTone: tone, sourceContent }: StoryRequest,
  rituals: boolean,
): Problems | null {
  const source = lengthProblem(sourceContent);
  const closed = tone && isRitualTone(tone) && !rituals ? 'This tone is not open to you.' : undefined;
  return source || closed ? { source, tone: closed } : null;
}

/** How a story was made, as it is sealed with it. @param writer the model's name; absent for the Loom */
export function madeOf(request: StoryRequest, writer?: string): Made {
  const { emotionalTone, personName, relationshipDuration } = request;
  return {
    by: writer === undefined ? 'loom' : 'model',
    ...(writer !== undefined && { writer }),
    ...(emotionalTone && { tone: emotionalTone }),
    ...(personName && { person: personName }),
    ...(relationshipDuration && { duration: relationshipDuration }),
  };
}
