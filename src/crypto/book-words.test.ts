import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBase64Url } from './base64.ts';
import { wordsOfPin } from './book-words.ts';
import { bookWordsAs } from './testing/reference.ts';
import vectors from './vectors/book-words.json';
import { wordList } from './words.ts';

const aPin = fc.record({
  n: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toBase64Url),
});

test.each(vectors)('the words of the frozen entry $n', async ({ words, ...pin }) => {
  expect(await wordsOfPin(pin)).toEqual(words);
});

test('two implementations say the same four words of the list', async () => {
  await fc.assert(
    fc.asyncProperty(aPin, async (pin) => {
      const words = await wordsOfPin(pin);
      expect(words).toEqual(bookWordsAs(pin.n, pin.hash));
      expect(words).toHaveLength(4);
      for (const word of words) expect(wordList).toContain(word);
    }),
  );
});

test('another number or another hash has other words', async () => {
  const pin = { n: 812, hash: `${'a'.repeat(42)}A` };
  const words = await wordsOfPin(pin);
  expect(await wordsOfPin({ ...pin, n: 813 })).not.toEqual(words);
  expect(await wordsOfPin({ ...pin, hash: `b${pin.hash.slice(1)}` })).not.toEqual(words);
});
