// Whatever is pasted, the Loom ends and leaves no broken line.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EmotionalTone } from '../shared/nouns/myth.ts';
import type { StoryType } from '../shared/nouns/story-types.ts';
import { weave } from './loom.ts';
import { findLayoutFaults } from './testing/grammar.ts';

describe('hostile texts', () => {
  test.each([
    '<',
    '[',
    '*',
    '_',
    '"',
    '(',
    '“',
    '<a ',
    '![',
    '. ',
    'I was and ',
    '\n',
    '> ',
    'the ',
    '&amp;',
    '`',
    '?!',
    'a.b@',
    '\u202E',
    '\uD800',
    '👩‍🚀',
    'I am “here. ',
  ])('sixty thousand characters of %j end, and leave no broken line', (unit) => {
    const sourceContent = unit.repeat(Math.ceil(60_000 / unit.length)).slice(0, 60_000);
    const story = weave({ storyType: 'biography', sourceContent });
    expect(findLayoutFaults(story.text)).toEqual([]);
  });

  test('whatever is written, in whatever tone, every line is whole', { tags: 'long' }, () => {
    const bits = fc.constantFrom(
      'I was',
      'the blue bowl',
      'and',
      ',',
      '.',
      '"',
      '(',
      ')',
      '\n',
      '\n\n',
      '<b>',
      'you',
      'a',
      'red door',
      'my mother and I',
      '…',
      '?',
      '#',
      '-',
      'Ä',
      '猫。',
      'https://a.example/b',
      '😀',
      '\u200F',
      'am',
      'mine',
      'I',
      'her old coat',
      'never',
      '12.',
    );
    const storyTypes = fc.constantFrom<StoryType>('biography', 'relationship', 'breakup', 'eulogy');
    const tones = fc.constantFrom<EmotionalTone>(
      'healing',
      'celebration',
      'requiem',
      'laughter',
      'vigil',
      'blessing',
    );
    fc.assert(
      fc.property(
        fc.array(bits, { minLength: 1, maxLength: 60 }),
        storyTypes,
        tones,
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.nat(),
        (words, storyType, emotionalTone, personName, seed) => {
          const sourceContent = words.join(' ');
          const story = weave({
            storyType,
            sourceContent,
            emotionalTone,
            personName,
            relationshipDuration: personName,
            seed,
          });
          expect(findLayoutFaults(story.text)).toEqual([]);
          expect(story.title).not.toMatch(/\n/);
        },
      ),
      { numRuns: 150 },
    );
  });
});
