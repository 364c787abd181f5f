import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fromBase64, fromBase64Url, toBase64, toBase64Url } from './base64.ts';
import { isSameLeaf, leafOf } from './book-leaf.ts';
import { seal } from './seal.ts';
import { bookLeafAs } from './testing/reference.ts';
import { deriveContentKey, generateVaultKey } from './vault-key.ts';
import vectors from './vectors/book-leaf.json';

const context = { kind: 'memory', field: 'title', sealId: toBase64Url(new Uint8Array(16)) };
const sealed = async (text: string) => seal(text, await deriveContentKey(generateVaultKey()), context);
const tagOf = (text: string) => [...fromBase64(text).subarray(-16)];

describe('a leaf', () => {
  test('has the tags of two seals', async () => {
    const [first, second] = [await sealed('First'), await sealed('Second')];
    expect([...fromBase64Url(leafOf([first, second]))]).toEqual([...tagOf(first), ...tagOf(second)]);
  });

  test('has them whatever the padding of a base64', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 90 }), (bytes) => {
        const text = toBase64(bytes);
        expect([...fromBase64Url(leafOf([text])).subarray(0, 16)]).toEqual(tagOf(text));
      }),
    );
  });

  it('has zeros for a seal that is not there', () => {
    expect(leafOf([null])).toBe('A'.repeat(43));
    expect(leafOf([])).toBe('A'.repeat(43));
    // Nor is it a seal.
    expect(leafOf(['No base64, for all its length.'])).toBe('A'.repeat(43));
  });

  it('keeps the tag of a seal that stays', async () => {
    const [first, second, anew] = [await sealed('First'), await sealed('Second'), await sealed('Anew')];
    expect(leafOf([anew, undefined], leafOf([first, second]))).toBe(leafOf([anew, second]));
    expect(leafOf([anew, undefined])).toBe(leafOf([anew, null]));
  });
});

test.each(vectors)('the leaf of frozen seals is $leaf', ({ seals, leaf }) => {
  expect(leafOf(seals)).toBe(leaf);
  expect(bookLeafAs(seals)).toBe(leaf);
});

describe('a row is the one that is known', () => {
  it('by both tags, as far as something is said of the second', async () => {
    const [first, second, third] = [await sealed('First'), await sealed('Second'), await sealed('Third')];
    const known = leafOf([first, second]);
    expect(isSameLeaf(known, leafOf([first, second]))).toBe(true);
    expect(isSameLeaf(known, leafOf([first, third]))).toBe(false);
    expect(isSameLeaf(known, leafOf([third, second]))).toBe(false);
    // Left out, unless it is withheld.
    expect(isSameLeaf(known, leafOf([first, null]))).toBe(false);
    expect(isSameLeaf(known, leafOf([first, null]), true)).toBe(true);
    expect(isSameLeaf(known, leafOf([third, null]), true)).toBe(false);
    // Of a row that was taken in while its second seal was withheld, nobody knows more.
    expect(isSameLeaf(leafOf([first, null]), known)).toBe(true);
    expect(isSameLeaf(leafOf([third, null]), known)).toBe(false);
  });
});
