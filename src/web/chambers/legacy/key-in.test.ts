import { describe, expect, it } from 'vitest';
import { keyIn } from './key-in.ts';

const key = 'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA';

describe('a key that somebody types', () => {
  it.each([
    ['alone', key],
    ['in groups', key.replace(/.{4}/g, '$& ')],
    ['over two lines', `${key.slice(0, 20)}\n${key.slice(20)}`],
    ['in its link', `https://vault.example/legacy/AAAAAAAAAAAAAAAAAAAAAA#${key}`],
    ['in a bent link', `https://vault.example/legacy/AAAAAAAAAAAAAAAAAAAAAA%23${key}`],
    ['with a full stop', `${key}.`],
  ])('is found %s', (_, typed) => {
    expect(keyIn(typed)).toBe(key);
  });

  it.each(['', '   ', key.slice(1), `${key}A`, 'https://vault.example/legacy/AAAAAAAAAAAAAAAAAAAAAA'])(
    'is not found in %j',
    (typed) => {
      expect(keyIn(typed)).toBeNull();
    },
  );
});
