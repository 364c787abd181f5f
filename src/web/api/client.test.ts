import { expect, test } from 'vitest';
import { account } from '../../shared/nouns/account.ts';
import { transcription } from '../../shared/nouns/transcription.ts';
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

test('a file goes as the one field of a form, without the name that somebody gave it', async () => {
  const sent: [unknown, RequestInit | undefined][] = [];
  const { send } = createApiClient({
    fetch: async (place, init) => {
      sent.push([place, init]);
      return Response.json({ text: 'she wrote a letter', engine: 'remote' });
    },
  });
  const file = new File(['sound'], 'my secret.mp3', { type: 'audio/mpeg' });
  expect(await send(transcription.transcribe, { file })).toEqual({
    text: 'she wrote a letter',
    engine: 'remote',
  });
  const [place, init] = sent[0] ?? [];
  expect(place).toBe('/api/whisper/transcribe');
  // The browser names the type itself, with the boundary.
  expect(init?.headers).toEqual({});
  const form = init?.body as FormData;
  expect([...form.keys()]).toEqual(['audio']);
  const part = form.get('audio') as File;
  expect([part.name, await part.text()]).toEqual(['file', 'sound']);
});
