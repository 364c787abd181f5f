import { expect, test } from 'vitest';
import { failingWords } from './failing-words.ts';

const AT = '2030-06-01T12:00:00.000Z';

test('what cannot be sent is said with since when, and what works is not mentioned', () => {
  const mail = { noMailSince: AT, noTextsSince: null };
  expect(failingWords({ noMailSince: null, noTextsSince: null })).toBeNull();
  expect(failingWords(mail)).toMatchObject({
    what: 'mail',
    says: expect.stringMatching(/^This server cannot send mail since 1 June 2030, .* It keeps trying\.$/),
  });
  expect(failingWords(mail, { mail: false, texts: true })).toBeNull();
  expect(failingWords({ ...mail, noTextsSince: AT })?.what).toBe('mail or text messages');
});
