// What a story is asked to be, and how its parts become text.
import type { EmotionalTone } from '../shared/nouns/myth.ts';
import type { StoryType } from '../shared/nouns/story-types.ts';
import { GRIEF } from './concrete-nouns.ts';
import type { Lines, Told } from './stanzas.ts';
import { TONES } from './tones.ts';

export interface Commission {
  storyType: StoryType;
  tone: EmotionalTone;
  /** Empty when none is given. */
  name: string;
  duration: string;
  /** Whether violence is told of. */
  tellsViolence: boolean;
}

export interface Composed {
  title: string;
  text: string;
  form: 'woven' | 'plain';
}

export const isLine = (line: string | undefined): line is string => line !== undefined && line !== '';

/** Lines to stanzas to text. What is empty is left out. */
export const asText = (stanzas: readonly Lines[]): string =>
  stanzas
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');

/** Whether a line of the tone may stand between these sentences: nothing cheerful stands beside grief. */
export function mayStandBy({ tone, tellsViolence }: Commission, beside: readonly Told[]): boolean {
  return !TONES[tone].isCheerful || !(tellsViolence || beside.some(({ text }) => GRIEF.test(text)));
}
