// A language model in place of the server's: a test says who it is, and sends its words line by line.
import type { DraftLine, StoryRequest, StoryWriter } from '../../shared/nouns/myth.ts';
import type { Network } from './network.ts';

export const MODEL: StoryWriter = {
  engine: 'model',
  writer: 'llama3 at words.example',
  writerId: 'a'.repeat(64),
  perDay: 20,
};

/** One story that was asked for. */
export interface AskedStory {
  request: StoryRequest;
  /** Sends lines as they would come. */
  send(...lines: DraftLine[]): void;
  /** Ends the answer; without an `end` or `error` before, the story is cut off. */
  close(): void;
  /** Whether the page has stopped reading. */
  isStopped: boolean;
}

export interface StoryAnswers {
  writer: StoryWriter;
  /** Whether the server cannot say who writes. */
  broken: boolean;
  /** Answers in place of the stream, such as a refusal. */
  instead: (() => Response) | null;
  asked: AskedStory[];
}

export const words = (text: string): DraftLine => ({ type: 'words', words: text });
export const END: DraftLine = { type: 'end' };

export const LOOM_ALONE: StoryWriter = { engine: 'loom', writer: '', writerId: '', perDay: 0 };

/** Answers the calls of stories in place of the server. */
export function answerStories(network: Network, writer: StoryWriter = MODEL): StoryAnswers {
  const answers: StoryAnswers = { writer, broken: false, instead: null, asked: [] };
  network.intercept(async (request, forward) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/story-writer')
      return answers.broken ? new Response('', { status: 500 }) : Response.json(answers.writer);
    if (pathname !== '/api/story-drafts') return forward();
    const body = (await request.json()) as StoryRequest;
    if (answers.instead) return answers.instead();
    const encoder = new TextEncoder();
    let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
    const story: AskedStory = {
      request: body,
      isStopped: false,
      send(...lines) {
        for (const line of lines) controller?.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      },
      close: () => controller?.close(),
    };
    const stream = new ReadableStream<Uint8Array>({
      start: (own) => {
        controller = own;
      },
      cancel: () => {
        story.isStopped = true;
      },
    });
    answers.asked.push(story);
    return new Response(stream, { headers: { 'content-type': 'application/x-ndjson' } });
  });
  return answers;
}
