// The plain form: the writer's sentences cut into breaths, with few lines beside them and no image in these.
import type { Chance } from './chance.ts';
import { asText, type Commission, type Composed, isLine, mayStandBy } from './commission.ts';
import { dedicationOf, FrameLines } from './frame-lines.ts';
import { STORY_FRAMES } from './frames.ts';
import { cutParts } from './selection.ts';
import { capitalize } from './sentences.ts';
import { LineBook, stanzasOf, type Told } from './stanzas.ts';
import { TONES } from './tones.ts';

const AFTER_OTHERS = /\b(?:last|more|ends?|nearly|side|shape|done)\b/;

/** Whom and how long; or a short sentence of the writer's; or what the kind of story is called. */
function titleOf(told: readonly Told[], { storyType, name, duration }: Commission, chance: Chance): string {
  const sayings = told
    .filter(({ text, length }) => length >= 3 && length <= 5 && /^[^?"“”(),:;…\d]{8,36}[.!]$/.test(text))
    .map(({ text }) => text.replace(/[.!]+$/, ''));
  const about = name && duration ? [`${capitalize(name)}, ${duration}`] : [];
  const choices = [...about, ...sayings.slice(0, 3)];
  return chance.draw(choices.length > 0 ? choices : STORY_FRAMES[storyType].titles) ?? '';
}

/** @param told at least one sentence */
export function tellPlainly(told: readonly Told[], commission: Commission, chance: Chance): Composed {
  const { storyType, tone, name, duration } = commission;
  const { measure, plainTurns, closings } = TONES[tone];
  const lines = new FrameLines(chance);
  const starts = cutParts(told);
  const last = told.length - 1;
  const title = titleOf(told, commission, chance);
  const mayClose = mayStandBy(commission, told.slice(last));
  const { plainOpenings } = STORY_FRAMES[storyType];
  // Beside a single sentence there is room for one line: the tone's, unless it speaks of an end.
  const alone = last === 0 && mayClose ? closings.filter((line) => !AFTER_OTHERS.test(line)) : [];
  const opening = lines.draw(alone, { name }) ?? lines.draw(plainOpenings, { name });
  const isAddressed =
    name !== '' &&
    (title.startsWith(capitalize(name)) || opening?.toLowerCase().includes(name.toLowerCase()) === true);

  const book = new LineBook();
  const body = starts.flatMap((start, part) => {
    // One turn is enough, before the last part.
    const isTurn =
      part > 0 &&
      part === starts.length - 1 &&
      mayStandBy(commission, told.slice(Math.max(0, start - 3), start + 1));
    const turn = isTurn ? lines.draw(plainTurns, { name }) : undefined;
    const end = Math.min(starts[part + 1] ?? last, last);
    return [[turn].filter(isLine), ...stanzasOf(told.slice(start, end), measure, book)];
  });
  const closing = last > 0 && mayClose ? lines.draw(closings, { name }) : undefined;
  return {
    title,
    form: 'plain',
    text: asText([
      [
        dedicationOf(
          isAddressed ? '' : name,
          duration !== '' && title.endsWith(duration) ? '' : duration,
          storyType === 'eulogy',
        ),
        opening,
      ].filter(isLine),
      ...body,
      [closing].filter(isLine),
      ...stanzasOf(told.slice(last), measure, book),
    ]),
  };
}
