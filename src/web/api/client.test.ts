import { expect, test } from 'vitest';
import { account } from '../../shared/nouns/account.ts';
import { stories } from '../../shared/nouns/myth.ts';
import { transcription } from '../../shared/nouns/transcription.ts';
import { ApiError, answerIsLost, refusedAs, sentenceOf } from '../../vault/api/api-error.ts';
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

const DRAFT = { body: { storyType: 'biography', sourceContent: 'I kept a well.' } } as const;
const words = (text: string) => `${JSON.stringify({ type: 'words', words: text })}\n`;
const END = '{"type":"end"}\n';

/** A client whose server answers in these pieces; what it throws in place of one breaks the connection. */
function streaming(pieces: (string | Uint8Array | Error)[], status = 200) {
  const left = { yet: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else if (piece instanceof Error) controller.error(piece);
      else controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
    },
    cancel() {
      left.yet = true;
    },
  });
  return { left, ...createApiClient({ fetch: async () => new Response(body, { status }) }) };
}

async function told(client: Pick<ReturnType<typeof streaming>, 'stream'>) {
  const lines: string[] = [];
  try {
    for await (const line of client.stream(stories.draft, DRAFT)) lines.push(line.words);
    return { lines, problem: null };
  } catch (error) {
    return { lines, problem: error as ApiError };
  }
}

test('a stream tells each line until its end', async () => {
  const client = streaming([words('The Well'), words('\n\nIt was') + words(' “deep”.'), END, words('after')]);
  expect(await told(client)).toEqual({ lines: ['The Well', '\n\nIt was', ' “deep”.'], problem: null });
});

test('a stream comes in any pieces, also in the middle of a character', async () => {
  const bytes = new TextEncoder().encode(words('Žluťoučký 🕯️') + words('記憶') + END);
  for (const size of [1, 2, 3, 7, 50]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.slice(i * size, (i + 1) * size),
    );
    expect(await told(streaming(pieces))).toEqual({ lines: ['Žluťoučký 🕯️', '記憶'], problem: null });
  }
});

test.each<[string, (string | Uint8Array | Error)[]]>([
  ['ends without its end', [words('one')]],
  ['ends in the middle of a line', [words('one'), '{"type":"end"']],
  ['ends in the middle of a character', [words('one'), new Uint8Array([0xe8, 0xa8])]],
  ['loses its connection', [words('one'), new TypeError('network error')]],
  ['becomes a page', [words('one'), '<html>secret</html>\n']],
  ['becomes something else', [words('one'), '{"type":"secret"}\n', END]],
  ['holds what is no UTF-8', [words('one'), new Uint8Array([0xff, 0x0a]), END]],
])('a stream that %s is known to be cut off', async (_, pieces) => {
  const { lines, problem } = await told(streaming(pieces));
  expect(lines).toEqual(['one']);
  expect(problem).toBeInstanceOf(ApiError);
  expect(problem).toMatchObject({
    code: 'cut-off',
    sentence: expect.stringMatching(/before the whole answer/),
  });
  expect(`${problem?.message} ${problem?.cause}`).not.toContain('secret');
});

test('a stream that fails in the middle says why', async () => {
  const error = '{"type":"error","code":"writer-slow","message":"The model took too long."}\n';
  const { lines, problem } = await told(streaming([words('one'), error]));
  expect(lines).toEqual(['one']);
  expect(problem).toMatchObject({ code: 'writer-slow', sentence: 'The model took too long.' });
  expect(refusedAs(problem, 'writer-slow')).toBe(true);
});

test('a stream that is refused throws what every call throws', async () => {
  const refused = '{"code":"writer-off","message":"No model."}';
  const { problem } = await told(streaming([refused], 503));
  expect(problem).toMatchObject({ status: 503, code: 'writer-off', sentence: 'No model.' });
  expect((await told(streaming(['<html>'], 502))).problem).toMatchObject({ status: 502, code: '' });
});

test('a stream ends at the server when its reader leaves the loop', async () => {
  const client = streaming([words('one'), words('two'), words('three'), END]);
  for await (const line of client.stream(stories.draft, DRAFT)) {
    expect(line.words).toBe('one');
    break;
  }
  expect(client.left.yet).toBe(true);
});

test('a stream that is ended by its signal throws what the signal says', async () => {
  const ending = new AbortController();
  const { stream } = createApiClient({
    fetch: async (_, init) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(words('one')));
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        },
      });
      return new Response(body);
    },
  });
  const lines: string[] = [];
  const reading = (async () => {
    for await (const line of stream(stories.draft, { ...DRAFT, signal: ending.signal })) {
      lines.push(line.words);
      ending.abort();
    }
  })();
  await expect(reading).rejects.toHaveProperty('name', 'AbortError');
  expect(lines).toEqual(['one']);
});
