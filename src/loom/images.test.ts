import { describe, expect, test } from 'vitest';
import { readParagraphs } from './clean.ts';
import { findImages } from './images.ts';
import { readSentences } from './sentences.ts';

const imagesOf = (text: string, isCheerful = false) =>
  findImages(readSentences(readParagraphs(text)), isCheerful)
    .map(({ phrase }) => phrase)
    .sort();

describe('what can be seen or held is an image', () => {
  test.each([
    ['She walked out in a torn blue coat.', ['torn blue coat']],
    ['We woke to the smell of bread.', ['smell of bread']],
    ['He wrote it on index cards and hid them in two jars of plum jam.', ['index cards', 'jars of plum jam']],
    ['The blue door was open.', ['blue door']],
    ['I kept the lantern, the old lantern.', ['old lantern']],
  ])('%s', (text, phrases) => {
    expect(imagesOf(text)).toEqual(phrases);
  });
});

describe('what cannot, or must not be made an ornament, is none', () => {
  test.each([
    'We had some disagreements about money, and our communication was a strong foundation.',
    'The door was open and the house was quiet.',
    'It came out like a brick.',
    'There was no lantern and we had never had any candles.',
    'He hit me with the leather belt beside the kettle.',
    'They carried the white coffin past the roses.',
    'Rose and Lily came with Mr. Baker.',
    'In the evenings we mended things that were open.',
    'He was a warm person with a bright future and a cold heart.',
    'Like a bird, as a stone.',
  ])('%s', (text) => {
    expect(imagesOf(text)).toEqual([]);
  });

  test('a cheerful frame takes nothing out of grief', () => {
    const text = 'She left her green scarf when she died. We sang around the yellow kettle.';
    expect(imagesOf(text)).toEqual(['green scarf', 'yellow kettle']);
    expect(imagesOf(text, true)).toEqual(['yellow kettle']);
  });
});
