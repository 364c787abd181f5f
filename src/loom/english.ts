// What becomes of an English text: woven, where it has images; plain, where it has none to show.
import type { Chance } from './chance.ts';
import type { Commission, Composed } from './commission.ts';
import { VIOLENCE } from './concrete-nouns.ts';
import { findImages } from './images.ts';
import { tellPlainly } from './plain.ts';
import { condense } from './selection.ts';
import type { Sentence } from './sentences.ts';
import type { Told } from './stanzas.ts';
import { TONES } from './tones.ts';
import { tellToWriter } from './voice.ts';
import { weaveImages } from './woven.ts';

/** About how many words of the source a story holds: five minutes aloud. */
const WORDS_KEPT = 480;
/** Fewer images than this, or fewer for so many words, and a text is flat. */
const LEAST_IMAGES = 3;
const WORDS_PER_IMAGE = 60;

/** The sentences as the story tells them: a biography is told to its writer, where the grammar allows it. */
function tell(sentences: readonly Sentence[], { storyType, tellsViolence }: Commission): Told[] {
  const turned =
    storyType === 'biography' && !tellsViolence ? tellToWriter(sentences.map(({ text }) => text)) : null;
  return sentences.map((sentence, at) => ({ ...sentence, text: turned?.[at] ?? sentence.text }));
}

/** @param sentences at least one */
export function composeEnglish(
  sentences: readonly Sentence[],
  request: Omit<Commission, 'tellsViolence'>,
  chance: Chance,
): Composed {
  const kept = condense(sentences, WORDS_KEPT);
  const tellsViolence = kept.some(({ text }) => VIOLENCE.test(text));
  const commission: Commission = { ...request, tellsViolence };
  const told = tell(kept, commission);
  const words = kept.reduce((sum, { length }) => sum + length, 0);
  // The form depends on the text alone: a cheerful tone finds fewer images in it, not another form.
  const isRich = (count: number) =>
    count >= LEAST_IMAGES && count * WORDS_PER_IMAGE >= words && kept.length > 1;
  const images = findImages(kept);
  if (!isRich(images.length)) return tellPlainly(told, commission, chance);
  const fitting = TONES[commission.tone].isCheerful ? findImages(kept, true) : images;
  return weaveImages(told, fitting.length > 0 ? fitting : images.slice(0, 1), commission, chance);
}
