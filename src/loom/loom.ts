// The Loom weaves a person's own words into a story, without a language model: the same words, the same choices and the
// same seed give the same story. It reads nothing but its arguments, and nothing of them leaves it but its answer.
import type { EmotionalTone } from '../shared/nouns/myth.ts';
import type { StoryType } from '../shared/nouns/story-types.ts';
import { chanceOf } from './chance.ts';
import { readField, readParagraphs } from './clean.ts';
import { composeEnglish } from './english.ts';
import { isEnglish } from './language.ts';
import { readSentences } from './sentences.ts';
import { keepVerbatim } from './verbatim.ts';

export interface WeaveRequest {
  storyType: StoryType;
  /** The writer's words; for a eulogy several entries, an empty line between each two. */
  sourceContent: string;
  /** Of whom it tells, except in a biography, which tells of its writer. What cannot be a name is left out. */
  personName?: string | null | undefined;
  /** For how long, in any words. */
  relationshipDuration?: string | null | undefined;
  /** Absent: mystical, as in forms that choose none. */
  emotionalTone?: EmotionalTone | null | undefined;
  /** Another number weaves the same words anew. */
  seed?: number | undefined;
}

export interface Weaving {
  /** Plain text of one line; empty only when the source is. */
  title: string;
  /** Plain text: lines, and an empty line between stanzas. */
  text: string;
  /**
   * `woven`: the writer's sentences between lines made of their images. `plain`: the same without images, for prose that
   * has none. `verbatim`: every word as it was, for what is not English.
   */
  form: 'woven' | 'plain' | 'verbatim';
}

/** Never throws. Thirty pages of prose take it less than a second; what was written to be hard to read, several. */
export function weave(request: WeaveRequest): Weaving {
  const { storyType, sourceContent, seed = 0 } = request;
  const tone = request.emotionalTone ?? 'mystical';
  const asksPerson = storyType !== 'biography';
  const name = asksPerson ? readField(request.personName) : '';
  const duration = asksPerson ? readField(request.relationshipDuration) : '';
  const paragraphs = readParagraphs(sourceContent);
  const sentences = isEnglish(paragraphs) ? readSentences(paragraphs) : [];
  if (sentences.length === 0) return { ...keepVerbatim(paragraphs, name, duration), form: 'verbatim' };
  const chance = chanceOf([seed, storyType, tone, name, duration, sourceContent].join('\n'));
  return composeEnglish(sentences, { storyType, tone, name, duration }, chance);
}
