import { expect, it } from 'vitest';
import { asQuestion } from './question.ts';

it.each([
  ['Delete “The orchard”', 'Delete “The orchard”?'],
  ['Delete “Locked?”', 'Delete “Locked?”'],
  ['Delete “為什麼？”', 'Delete “為什麼？”'],
  ['Delete “Stop!”', 'Delete “Stop!”?'],
  ['Delete “Why? Because”', 'Delete “Why? Because”?'],
  ['Delete “Argument” with Who?', 'Delete “Argument” with Who?'],
])('%s is asked as %s', (sentence, asked) => {
  expect(asQuestion(sentence)).toBe(asked);
});
