import { expect, test } from 'vitest';
import { account } from '../../shared/nouns/account.ts';
import { ApiError, answerIsLost, refusedAs, sentenceOf } from './api-error.ts';
import { createApiClient } from './client.ts';

const answering = (status: number, body: string, statusText = '') =>
  createApiClient({ fetch: async () => new Response(body, { status, statusText }) });

const ours = new ApiError(404, '{"code":"not-found","message":"There is nothing here."}');

test('the server refuses by its own codes alone', () => {
  expect(refusedAs(ours, 'not-found')).toBe(true);
  expect(refusedAs(ours, 'share-used', 'share-expired')).toBe(false);
  expect(answerIsLost(ours)).toBe(false);
});

test('a session that has ended says how the press can be made good', () => {
  const ended = new ApiError(401, '{"code":"not-signed-in","message":"You are not signed in."}');
  expect(sentenceOf(ended)).toMatch(/Sign in again in another tab/);
  expect(sentenceOf(ours)).toBe('There is nothing here.');
});

for (const text of [
  '404 page not found',
  '<html></html>',
  '',
  'null',
  '{"code":404,"message":"no route"}',
  '{"code":"NOT_FOUND"}',
]) {
  test(`a proxy's ${JSON.stringify(text)} decides nothing`, () => {
    const error = new ApiError(404, text);
    expect(refusedAs(error, 'not-found')).toBe(false);
    expect(answerIsLost(error)).toBe(true);
    expect(error.sentence).toMatch(/out of reach/);
  });
}

test('silence and faults may hide that something arrived', () => {
  expect(answerIsLost(new TypeError('Failed to fetch'))).toBe(true);
  expect(answerIsLost(new ApiError(500, '{"code":"internal","message":"Something."}'))).toBe(true);
  expect(answerIsLost(new ApiError(502, 'Bad gateway'))).toBe(true);
  expect(answerIsLost(new RangeError())).toBe(false);
});

test.each([
  ['an empty body over HTTP/2', 403, '', '', '403: Forbidden'],
  ['an empty body with a status text', 403, '', 'Keep Out', '403: Keep Out'],
  ['an empty body of an unusual status', 499, '', '', '499: '],
  ['a body', 502, 'no gateway', 'Bad Gateway', '502: no gateway'],
])('the error of %s reads as the specification says', async (_, status, body, statusText, message) => {
  const { send } = answering(status, body, statusText);
  await expect(send(account.user, {})).rejects.toHaveProperty('message', message);
});

test('so it does where a fresh proof could have been asked for', async () => {
  const { send, installProver } = answering(403, '');
  installProver(async () => true);
  await expect(send(account.user, {})).rejects.toHaveProperty('message', '403: Forbidden');
});
