// What a text of the corpus is. The texts were written for this project; nobody in them exists.
import type { EmotionalTone } from '../../shared/nouns/myth.ts';
import type { StoryType } from '../../shared/nouns/story-types.ts';

export interface CorpusText {
  name: string;
  /** The form that it gets, in every kind of story. */
  form: 'woven' | 'plain' | 'verbatim';
  storyTypes: readonly StoryType[];
  /** One of them is a tone of its kind. */
  tones: readonly EmotionalTone[];
  personName?: string;
  relationshipDuration?: string;
  text: string;
}
