import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromUtf8, lengthPrefixed, utf8 } from './encoding.ts';
import { anyText } from './testing/any-text.ts';
import { tuple } from './testing/reference.ts';

const text = anyText(40);

test('any well-formed text comes back from UTF-8', () => {
  fc.assert(fc.property(text, (value) => fromUtf8(utf8(value)) === value));
});

test('a leading byte-order mark is kept', () => {
  expect(fromUtf8(utf8('\ufefftext'))).toBe('\ufefftext');
});

test('bytes that are not UTF-8 are refused, and the next ones are read afresh', () => {
  expect(() => fromUtf8(new Uint8Array([0x61, 0xf0, 0x9f]))).toThrow(TypeError);
  expect(fromUtf8(utf8('b'))).toBe('b');
});

test('a field is its length in four bytes, then its UTF-8', () => {
  expect([...lengthPrefixed('', 'é', 'abc')]).toEqual([
    0, 0, 0, 0, 0, 0, 0, 2, 0xc3, 0xa9, 0, 0, 0, 3, 97, 98, 99,
  ]);
});

test('moving characters between fields changes the encoding', () => {
  expect(lengthPrefixed('ab', 'c')).not.toEqual(lengthPrefixed('a', 'bc'));
  expect(lengthPrefixed('a', '')).not.toEqual(lengthPrefixed('a'));
});

test('a second implementation encodes the same', () => {
  fc.assert(
    fc.property(fc.array(text), (fields) => {
      expect(lengthPrefixed(...fields)).toEqual(tuple(...fields));
    }),
  );
});
