import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breathe } from './breath.ts';

describe('a sentence is cut where it breathes', () => {
  test.each([
    [
      'Every morning she walked out in a torn blue coat and spoke to the hives before she spoke to anyone else.',
      6,
      [
        'Every morning she walked out in a torn blue coat',
        'and spoke to the hives',
        'before she spoke to anyone else.',
      ],
    ],
    ['I did not call.', 6, ['I did not call.']],
    [
      'When my brother and I were kids he took us fishing every August, and it rained.',
      7,
      ['When my brother and I were kids', 'he took us fishing every August, and it rained.'],
    ],
    [
      'That is how I met Dr. Okafor, who was holding the rope.',
      5,
      ['That is how I met Dr. Okafor,', 'who was holding the rope.'],
    ],
    [
      'On Sundays we ate bread and butter on the wall.',
      5,
      ['On Sundays we ate bread and butter on the wall.'],
    ],
  ])('%s', (sentence, measure, lines) => {
    expect(breathe(sentence, measure)).toEqual(lines);
  });
});

const LEANING = ['and', 'the', 'a', 'of', 'my', 'because', 'to', 'was'];
const word = fc.oneof(
  fc.constantFrom(...LEANING, 'river,', 'she', 'in', 'lantern', '“Stay,”', '–'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }).map((text) => text.replace(/\s/g, 'x')),
);

test('no word is lost, whatever the measure', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 80 }),
      fc.integer({ min: 3, max: 12 }),
      (words, measure) => {
        expect(breathe(words.join(' '), measure).join(' ')).toBe(words.join(' '));
      },
    ),
  );
});

test('no line ends on a word that leans on the next one, unless nothing else is left', () => {
  const mixed = fc.array(fc.constantFrom(...LEANING, 'lantern', 'river,', 'slept', 'red'), {
    minLength: 20,
    maxLength: 80,
  });
  fc.assert(
    fc.property(mixed, (words) => {
      // Fifteen leaning words in a row leave no choice.
      fc.pre(!/(?:(?:and|the|a|of|my|because|to|was) ){8}/.test(`${words.join(' ')} `));
      const lines = breathe(words.join(' '), 6);
      for (const line of lines.slice(0, -1)) expect(LEANING).not.toContain(line.split(' ').at(-1));
    }),
  );
});
