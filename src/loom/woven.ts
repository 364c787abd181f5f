// The woven form: the writer's sentences in parts, between lines made of the writer's own images.
import type { Chance } from './chance.ts';
import { asText, type Commission, type Composed, isLine, mayStandBy } from './commission.ts';
import { dedicationOf, FrameLines } from './frame-lines.ts';
import { STORY_FRAMES } from './frames.ts';
import type { Image } from './images.ts';
import { cutParts } from './selection.ts';
import { LineBook, stanzasOf, type Told } from './stanzas.ts';
import { TONES } from './tones.ts';

const NUMERALS = ['I', 'II', 'III'];

const titleCase = (phrase: string) =>
  phrase.replace(
    /(^|[\s-])(?!of\b)(\p{Ll})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );

/** Hands out each image once. */
class ImagesLeft {
  readonly #left: Image[];
  readonly #chance: Chance;

  constructor(images: readonly Image[], chance: Chance) {
    this.#left = [...images];
    this.#chance = chance;
  }

  /** One of the strongest `among` that stand in sentences `from` to `to` - 1. */
  take(from = 0, to = Number.POSITIVE_INFINITY, among = 3): string | undefined {
    const near = this.#left.filter(({ first }) => first >= from && first < to).slice(0, among);
    const strong = near.filter(({ weight }) => weight * 4 > (near[0]?.weight ?? 0) * 3);
    const image = strong[this.#chance.below(Math.max(1, strong.length))];
    if (image) this.#left.splice(this.#left.indexOf(image), 1);
    return image?.phrase;
  }
}

/** “The Blue Bowl, the Green Scarf”. */
function titleOf(phrases: readonly (string | undefined)[]): string {
  const named = phrases.filter(isLine).map((phrase) => `the ${titleCase(phrase)}`);
  return named.join(', ').replace(/^t/, 'T');
}

/** Where each part is named after an image of its own, all are; otherwise none. */
function headingsOf(named: readonly (string | undefined)[]): (string | undefined)[] {
  if (named.length < 2 || !named.every(isLine)) return named.map(() => undefined);
  return named.map((phrase, part) => `${NUMERALS[part]}. The ${titleCase(phrase)}`);
}

/**
 * @param told at least one sentence
 * @param found at least one image
 */
export function weaveImages(
  told: readonly Told[],
  found: readonly Image[],
  commission: Commission,
  chance: Chance,
): Composed {
  const { storyType, tone, name, duration } = commission;
  const { openings, partings } = STORY_FRAMES[storyType];
  const { measure, turns, plainTurns, closings } = TONES[tone];
  const images = new ImagesLeft(found, chance);
  const lines = new FrameLines(chance);
  const starts = cutParts(told);
  const endOf = (part: number) => starts[part + 1] ?? told.length;
  const last = told.length - 1;

  const first = images.take(0, told.length, 2);
  const second = found.length > 6 && chance.below(2) === 0 ? images.take(0, told.length, 2) : undefined;
  const opening = lines.draw(openings, { name, image: images.take(0, endOf(0)) ?? images.take() ?? first });
  const turnLines = starts.slice(1).map((start, part) => {
    if (!mayStandBy(commission, told.slice(Math.max(0, start - 3), start + 1))) return undefined;
    const image = images.take(starts[part], start);
    return lines.draw(image ? turns : plainTurns, { name, image });
  });
  const headings = headingsOf(starts.map((start, part) => images.take(start, endOf(part), 2)));

  const book = new LineBook();
  const body = starts.flatMap((start, part) => [
    [part > 0 ? turnLines[part - 1] : undefined].filter(isLine),
    [headings[part]].filter(isLine),
    ...stanzasOf(told.slice(start, Math.min(endOf(part), last)), measure, book),
  ]);
  const parting = starts.length > 1 ? lines.draw(partings, { name }) : undefined;
  const closing = mayStandBy(commission, told.slice(last))
    ? lines.draw(closings, { name: parting?.includes(name) ? '' : name })
    : undefined;
  const isAddressed = name !== '' && opening?.toLowerCase().includes(name.toLowerCase()) === true;
  return {
    title: titleOf([first, second]),
    form: 'woven',
    text: asText([
      [dedicationOf(isAddressed ? '' : name, duration, storyType === 'eulogy'), opening].filter(isLine),
      ...body,
      [parting, closing].filter(isLine),
      ...stanzasOf(told.slice(last), measure, book),
    ]),
  };
}
