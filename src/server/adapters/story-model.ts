// One question to a language model and its streamed answer, in OpenAI's wire format. It repeats neither the question nor the
// answer anywhere: what goes wrong becomes an AppError with nothing of either in it.
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { StoryPrompt } from './story-prompt.ts';
import { type AnswerPart, createThoughtSplitter, eventsOf } from './story-stream.ts';

export type { AnswerPart } from './story-stream.ts';

/** The most that is read of an answer, in bytes: each word comes in some hundred bytes of its own, and thoughts come too. */
export const ANSWER_MAX = 32 * 1024 * 1024;
/** After how many seconds somebody may ask a busy model again that does not say so itself, and the longest that it may say. */
const LATER = 60;
const LATEST = 3600;

/**
 * Asks once, and follows no redirect. The answer is whole when this returns.
 * @param signal ends the request
 * @throws AppError `writer-away`, `writer-busy`, `writer-refused` or `story-too-long`
 */
export async function* askModel(
  llm: NonNullable<Config['llm']>,
  prompt: StoryPrompt,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart, void, undefined> {
  const body = await request(llm, prompt, signal);
  const split = createThoughtSplitter();
  let ended: string | null = null;
  try {
    for await (const event of eventsOf(atMost(body))) {
      if (event === '[DONE]') break;
      const { thoughts, words, finish } = readChunk(JSON.parse(event));
      if (thoughts) yield { kind: 'thoughts', text: thoughts };
      if (words) yield* split.push(words);
      ended = finish ?? ended;
    }
    yield* split.end();
  } catch (error) {
    // Whatever else is thrown may hold pieces of the answer: none of it goes any further.
    throw error instanceof AppError ? error : new AppError('writer-away');
  }
  if (ended === 'length') throw new AppError('story-too-long');
  if (ended === 'content_filter') throw new AppError('writer-refused');
  if (ended !== 'stop') throw new AppError('writer-away');
}

async function request(
  { url, model, apiKey }: NonNullable<Config['llm']>,
  { system, prompt }: StoryPrompt,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const answer = await fetch(`${url.href.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: prompt },
      ],
      stream: true,
    }),
    // The words and the secret go to the place that was configured and to no other.
    redirect: 'manual',
    signal,
  }).catch(() => {
    throw new AppError('writer-away');
  });
  if (answer.status === 200 && answer.body) return answer.body;
  // An answer that refuses may repeat the words. It is not read.
  await answer.body?.cancel();
  throw refusalOf(answer);
}

/** What one event tells. Models name their thoughts in one way or the other. */
function readChunk(chunk: unknown): { words: string; thoughts: string; finish: string | null } {
  const { choices } = asRecord(chunk);
  // The last event may have no choice, and tells how many tokens were used.
  if (!Array.isArray(choices)) throw new AppError('writer-away');
  const { delta, finish_reason: finish } = asRecord(choices[0]);
  const { content, reasoning_content: thoughts, reasoning } = asRecord(delta);
  return {
    words: textOf(content),
    thoughts: textOf(thoughts) || textOf(reasoning),
    finish: typeof finish === 'string' ? finish : null,
  };
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function refusalOf({ status, headers }: Response): AppError {
  if (status !== 429) return new AppError('writer-away');
  const asked = headers.get('retry-after') ?? '';
  const seconds = /^\d{1,6}$/.test(asked) ? Number(asked) : LATER;
  return new AppError('writer-busy', undefined, Math.min(Math.max(seconds, 1), LATEST));
}

/** The same bytes, up to the most that is read. */
async function* atMost(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_MAX) throw new AppError('story-too-long');
    yield chunk;
  }
}
