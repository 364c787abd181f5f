import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fromHex, toBase64Url, toHex } from './base64.ts';
import {
  assertParams,
  bindSalt,
  generatePassphrase,
  MINIMUM_PASSPHRASE_LENGTH,
  normalisePassphrase,
  PASSPHRASE_FLOOR,
  PASSPHRASE_PARAMS,
  passphraseProblem,
  type StretchParams,
  splitStretched,
} from './passphrase.ts';
import { anyText } from './testing/any-text.ts';
import { bindSaltAs, splitAs } from './testing/reference.ts';
import vectors from './vectors/passphrase.json';
import { wordList } from './words.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(vectors)('the frozen salt is bound as it was', async (vector) => {
  expect(toHex(await bindSalt(vector.serverPart, vector))).toBe(vector.salt);
});

describe('the salt of a passphrase', () => {
  const serverPart = toBase64Url(new Uint8Array(16));
  const binding = { origin: 'https://vault.example.org', name: 'agnes' };

  test('is bound alike by a second implementation', async () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(bytes, anyText(20), anyText(20), async (part, origin, name) => {
        const text = toBase64Url(part);
        expect(await bindSalt(text, { origin, name })).toEqual(bindSaltAs(text, { origin, name }));
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['another name', { ...binding, name: 'boris' }],
    ['another origin', { ...binding, origin: 'https://vault.example.org:8443' }],
    ['a name that takes from the origin', { origin: 'https://vault.example.or', name: 'gagnes' }],
  ])('differs for %s, whatever one part the server gives to all', async (_, other) => {
    expect(await bindSalt(serverPart, other)).not.toEqual(await bindSalt(serverPart, binding));
  });

  test.each([0, 15, 17, 32])('refuses a part of %i bytes from the server', async (length) => {
    await expect(bindSalt(toBase64Url(new Uint8Array(length)), binding)).rejects.toThrow(TypeError);
  });
});

test.each(vectors)('the frozen vector is normalised and split as it was', async (vector) => {
  expect(normalisePassphrase(vector.passphrase)).toBe(vector.normalised);
  const { authKey, wrapSecret } = await splitStretched(fromHex(vector.stretched));
  expect(authKey).toBe(vector.authKey);
  expect(toHex(wrapSecret)).toBe(vector.wrapSecret);
});

test('a second implementation splits the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (stretched) => {
      expect(await splitStretched(stretched)).toEqual(splitAs(stretched));
    }),
    { numRuns: 20 },
  );
});

test('only 32 bytes are split', async () => {
  await expect(splitStretched(new Uint8Array(31))).rejects.toThrow(TypeError);
});

test('spellings that look alike are one passphrase', () => {
  const spellings = ['caf\u00e9 au lait', 'cafe\u0301 au lait', ' ｃafé au lait\n', 'café\u00a0au lait'];
  expect(new Set(spellings.map(normalisePassphrase)).size).toBe(1);
});

test('normalising twice changes nothing more', () => {
  fc.assert(
    fc.property(anyText(40), (value) => {
      const once = normalisePassphrase(value);
      expect(normalisePassphrase(once)).toBe(once);
    }),
  );
});

test.each([
  ['', 'short'],
  ['eleven char', 'short'],
  ['   padded    ', 'short'],
  ['twelve chars', null],
  ['🕯️'.repeat(5), 'short'],
  ['🕯'.repeat(12), null],
])('the problem of %j is %j', (value, problem) => {
  expect(passphraseProblem(value)).toBe(problem);
});

describe('parameters', () => {
  test('at the floor and above it are taken', () => {
    assertParams(PASSPHRASE_FLOOR);
    assertParams(PASSPHRASE_PARAMS, PASSPHRASE_PARAMS);
    assertParams({ memory: 262144, iterations: 4, parallelism: 4 });
  });

  test('new passphrases have more than the floor, which has not much less than half of their work', () => {
    const work = ({ memory, iterations }: StretchParams) => memory * iterations;
    expect(PASSPHRASE_FLOOR.memory).toBeLessThan(PASSPHRASE_PARAMS.memory);
    expect(PASSPHRASE_FLOOR.iterations).toBeLessThan(PASSPHRASE_PARAMS.iterations);
    expect(work(PASSPHRASE_FLOOR) / work(PASSPHRASE_PARAMS)).toBeGreaterThan(0.45);
    expect(() => assertParams(PASSPHRASE_FLOOR, PASSPHRASE_PARAMS)).toThrow(RangeError);
  });

  test.each([
    ['memory', 47103],
    ['memory', 2 ** 31],
    ['iterations', 1],
    ['iterations', 1000],
    ['parallelism', 0],
    ['parallelism', 255],
    ['memory', 65536.5],
    ['memory', Number.NaN],
    ['memory', '65536'],
    ['iterations', undefined],
  ])('%s of %j is refused', (name, value) => {
    const params = { ...PASSPHRASE_PARAMS, [name]: value };
    expect(() => assertParams(params)).toThrow(RangeError);
  });
});

describe('a generated passphrase', () => {
  test('is six words of the list, long enough, and another one each time', () => {
    const words = generatePassphrase(wordList).split(' ');
    expect(words).toHaveLength(6);
    expect(words.every((word) => wordList.includes(word))).toBe(true);
    expect(generatePassphrase(wordList)).not.toBe(generatePassphrase(wordList));
  });

  test('is long enough even of the shortest words', () => {
    const shortest = Math.min(...wordList.map((word) => word.length));
    expect(6 * shortest + 5).toBeGreaterThanOrEqual(MINIMUM_PASSPHRASE_LENGTH);
  });

  test('draws again where a remainder would be biased', () => {
    const list = [...wordList, 'extra']; // 2,049 does not divide 2^32
    const fair = Math.floor(2 ** 32 / 2049) * 2049;
    const draws = [2 ** 32 - 1, fair, fair - 1, 0, 1, 2, 3, 4];
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
      (array as unknown as Uint32Array)[0] = draws.shift() ?? 0;
      return array;
    });
    const expected = ['extra', ...wordList.slice(0, 5)].join(' ');
    expect(generatePassphrase(list)).toBe(expected);
  });

  test('needs 2,048 words to choose from', () => {
    expect(() => generatePassphrase(wordList.slice(1))).toThrow(RangeError);
  });
});
