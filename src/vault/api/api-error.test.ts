// What a server says when it refuses, as the page shows it; and for how long it can have the page wait.
import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { pageAddress } from './page-address.ts';
import { patiently } from './patiently.ts';

const refused = (message: string) => new ApiError(400, JSON.stringify({ code: 'invalid-input', message }));

test('a sentence of the server is short, in one line, and turns no text around', () => {
  expect(refused('A name is missing.').sentence).toBe('A name is missing.');
  expect(refused('One\n\ntwo \u202ethree\u2066 \u0007four').sentence).toBe('One two  three   four');
  expect(refused('x'.repeat(5000)).sentence).toHaveLength(300);
});

test.each([
  ['2147484', 600_000],
  ['99999999999999999999', 600_000],
  ['601', 600_000],
  ['30', 30_000],
  [null, 10_000],
])(
  'a server that wants to be asked again after %s seconds is waited for %i milliseconds',
  async (after, wait) => {
    const waited: number[] = [];
    let tries = 0;
    const work = async () => {
      tries += 1;
      if (tries === 1) throw new ApiError(429, '{"code":"too-many"}', after);
      return 'done';
    };
    const pause = async (time: number) => void waited.push(time);
    expect(await patiently(work, { signal: new AbortController().signal, pause })).toBe('done');
    expect(waited).toEqual([wait]);
  },
);

test('the page goes to addresses of pages alone', () => {
  expect(pageAddress('https://pay.example/c/1')).toBe('https://pay.example/c/1');
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'blob:https://a.example/1', '/relative'])
    expect(() => pageAddress(url)).toThrow(TypeError);
});
