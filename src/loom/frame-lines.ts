// Draws frame lines and fills them in: never two that are alike in one story, never one that needs a name when none is
// given.
import type { Chance } from './chance.ts';
import { capitalize } from './sentences.ts';

export interface Filling {
  /** Empty: none was given. */
  name: string;
  image?: string | undefined;
}

const LIGHT = new Set(
  'this that here what with have from once more them they then there been being'.split(' '),
);

const COMMON_START = new Set('the this that there here it a of and what'.split(' '));

/** What makes two lines alike: how they begin, and the words that carry sense. */
const marksOf = (line: string): string[] => {
  const words = line.toLowerCase().match(/\{?[a-z]+/g) ?? [];
  return [
    COMMON_START.has(words[0] ?? '') ? words.slice(0, 2).join(' ') : (words[0] ?? ''),
    ...words
      .filter((word) => word.length >= 4 && !word.startsWith('{') && !LIGHT.has(word))
      // “Lower the voice” and “the voices are lowered” are alike.
      .map((word) => word.slice(0, 5)),
  ];
};

function fill(line: string, { name, image = '' }: Filling): string {
  return line
    .replaceAll('{name}', () => name)
    .replaceAll('{Name}', () => capitalize(name))
    .replaceAll('{image}', () => `the ${image}`)
    .replaceAll('{Image}', () => `The ${image}`);
}

export class FrameLines {
  readonly #chance: Chance;
  readonly #marks = new Set<string>();

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** @returns one of `lines`, filled in; undefined when none is left that fits */
  draw(lines: readonly string[], filling: Filling): string | undefined {
    const line = this.#chance.draw(
      lines,
      (choice) =>
        (filling.name !== '' || !/\{name\}/i.test(choice)) &&
        (filling.image !== undefined || !/\{image\}/i.test(choice)) &&
        !marksOf(choice).some((mark) => this.#marks.has(mark)),
    );
    if (line === undefined) return undefined;
    for (const mark of marksOf(line)) this.#marks.add(mark);
    return fill(line, filling);
  }
}

/** “Marek. Six years.”: whom a story is about and for how long, as far as that is given. */
export function dedicationOf(name: string, duration: string, isEulogy: boolean): string {
  return [name && (isEulogy ? `For ${name}` : capitalize(name)), duration && capitalize(duration)]
    .filter(Boolean)
    .map((part) => `${part}.`)
    .join(' ');
}
