// One question to a language model and its streamed answer, in OpenAI's wire format. The library is large, so that this
// module is loaded when the first story is asked for. It repeats neither the question nor the answer anywhere.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { extractReasoningMiddleware, streamText, wrapLanguageModel } from 'ai';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { StoryPrompt } from './story-prompt.ts';

// The library would write to the console what it finds unusual about a request.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** A piece of an answer: words of it, or thoughts that lead to it and are nobody's to read. */
export interface AnswerPart {
  kind: 'words' | 'thoughts';
  text: string;
}

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
  let refusal: AppError | null = null;
  const { fullStream } = streamText({
    model: modelOf(llm, (reason) => {
      refusal ??= reason;
    }),
    ...prompt,
    abortSignal: signal,
    maxRetries: 0,
    experimental_include: { requestBody: false },
    // Otherwise the library prints it, with the request in it.
    onError: () => {},
  });
  let ended: string | null = null;
  try {
    for await (const part of fullStream) {
      if (part.type === 'text-delta') yield { kind: 'words', text: part.text };
      else if (part.type === 'reasoning-delta') yield { kind: 'thoughts', text: part.text };
      else if (part.type === 'error') break;
      else if (part.type === 'finish') ended = part.finishReason;
    }
  } catch {
    // What the library throws holds the request and the answer: none of it goes any further.
  }
  if (refusal) throw refusal;
  if (ended === 'length') throw new AppError('story-too-long');
  if (ended === 'content-filter') throw new AppError('writer-refused');
  if (ended !== 'stop') throw new AppError('writer-away');
}

/** @param refuse is told why the service did not answer with a story */
function modelOf({ url, model, apiKey }: NonNullable<Config['llm']>, refuse: (reason: AppError) => void) {
  const service = createOpenAICompatible({
    name: 'story-writer',
    baseURL: url.href,
    ...(apiKey === null ? {} : { apiKey }),
    fetch: async (place, init) => {
      // The words and the secret go to the place that was configured and to no other.
      const answer = await fetch(place, { ...init, redirect: 'manual' });
      if (answer.status === 200 && answer.body) return new Response(atMost(answer.body, refuse), answer);
      refuse(refusalOf(answer));
      // An answer that refuses may repeat the words. It is not read.
      await answer.body?.cancel();
      return new Response(null, { status: 502 });
    },
  });
  return wrapLanguageModel({
    model: service(model),
    // Models that think aloud in their answer do it between these tags.
    middleware: extractReasoningMiddleware({ tagName: 'think' }),
  });
}

function refusalOf({ status, headers }: Response): AppError {
  if (status !== 429) return new AppError('writer-away');
  const asked = headers.get('retry-after') ?? '';
  const seconds = /^\d{1,6}$/.test(asked) ? Number(asked) : LATER;
  return new AppError('writer-busy', undefined, Math.min(Math.max(seconds, 1), LATEST));
}

/** The same bytes, up to the most that is read. */
function atMost(body: ReadableStream<Uint8Array>, refuse: (reason: AppError) => void) {
  let size = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size <= ANSWER_MAX) return controller.enqueue(chunk);
        refuse(new AppError('story-too-long'));
        controller.error(new Error('too much'));
      },
    }),
  );
}
