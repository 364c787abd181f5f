import { describe, expect, test } from 'vitest';
import { tellToWriter } from './voice.ts';

describe('a story is told to its writer', () => {
  test.each([
    ['I was nine.', 'You were nine.'],
    ['I am still learning, and I’m slow.', 'You are still learning, and you are slow.'],
    ["I wasn't there, and I've paid for it.", "You weren't there, and you've paid for it."],
    [
      'She asked me what was mine, and I said nothing.',
      'She asked you what was yours, and you said nothing.',
    ],
    ['My brother and I were kids.', 'You and your brother were kids.'],
    ['I called Marek and I waited.', 'You called Marek and you waited.'],
    ['I hugged my mother and I left.', 'You hugged your mother and you left.'],
    ['I, too, was late.', 'You, too, were late.'],
    ['I never was so cold, nor was I ever so glad.', 'You never were so cold, nor were you ever so glad.'],
    ['I sat down and was quiet.', 'You sat down and were quiet.'],
    [
      'I did it by myself, and we kept it to ourselves.',
      'You did it by yourself, and you kept it to yourselves.',
    ],
    ['Our house was cold, and I loved it.', 'Your house was cold, and you loved it.'],
    ['I waited. "I am a dentist," she said to me.', 'You waited. "I am a dentist," she said to you.'],
    ['I live in the US.', 'You live in the US.'],
  ])('%s', (before, after) => {
    expect(tellToWriter([before])).toEqual([after]);
  });
});

describe('a sentence that does not allow it keeps the whole story in the first person', () => {
  test.each([
    'You told me to wait.',
    'My grandfather fought in World War I, and I have his coat.',
    'My father, whom I loved, was a baker.',
    'It was I who broke it.',
    'I worked in the mine.',
    'I was late, oh my.',
    'Beside me was a dog, and I froze.',
    'i was nine and I knew it.',
    'I knew that the man was tired and was right.',
    'What it was I never knew.',
    'I heard the dog was sick and was put down.',
    'I said we should go. "Let us go.',
    'I said, "I am a dentist," and was believed.',
    'Let us go, I said.',
    'It rained.',
  ])('%s', (sentence) => {
    expect(tellToWriter(['I was here.', sentence].slice(sentence === 'It rained.' ? 1 : 0))).toBeNull();
  });
});
