// A language model's service, as OpenAI's documentation describes streamed /chat/completions: it keeps what it is asked, and
// can be told to refuse, to hang, to stop in the middle, to send nonsense, to lead elsewhere or never to end.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface AskedRequest {
  path: string;
  authorization: string | undefined;
  /** As it was sent. */
  body: string;
  model: unknown;
  stream: unknown;
  /** The texts of its messages, by their roles. */
  messages: Record<string, string>;
}

/** What follows the words that were said; otherwise the reason for which a model ends. */
export type StoryEnd = 'stop' | 'length' | 'content_filter' | 'hangs' | 'drops' | 'never ends' | 'no reason';

interface Saying {
  says: string[];
  thinks?: string[];
  ends?: StoryEnd;
}

export type StoryMood =
  | Saying
  | { status: number; body?: string; headers?: Record<string, string> }
  /** The whole body of an answer of status 200. */
  | { raw: string; type?: string }
  | 'hangs'
  | 'drops';

export interface StoryService {
  /** For LLM_BASE_URL. */
  url: string;
  asked: AskedRequest[];
  /** How many answers are under way. */
  underWay(): number;
  behave(mood: StoryMood): void;
  /** Lets those finish that hang after their words. */
  finish(): void;
  /** Resolves once so many requests have come. */
  came(count: number): Promise<void>;
  /** Resolves once so many clients have left before their answer was whole. */
  left(count?: number): Promise<void>;
  close(): Promise<void>;
}

export const A_STORY = ['The Well', '\n\n', 'It was ', 'never dry.'];

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'stand-in',
    choices: [{ index: 0, delta, finish_reason }],
  })}\n\n`;

/** Resolves each time that something is counted. */
function counter() {
  let count = 0;
  const waiting: (() => void)[] = [];
  return {
    add() {
      count += 1;
      for (const look of waiting) look();
    },
    reached: (wanted: number) =>
      new Promise<void>((resolve) => {
        const look = () => count >= wanted && resolve();
        waiting.push(look);
        look();
      }),
  };
}

export async function openStoryService(): Promise<StoryService> {
  let mood: StoryMood = { says: A_STORY };
  const asked: AskedRequest[] = [];
  const underWay = new Set<ServerResponse>();
  const hanging = new Set<ServerResponse>();
  const [came, left] = [counter(), counter()];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      if (!response.writableFinished) left.add();
    });
    const body = await text(request);
    const { model, stream, messages } = JSON.parse(body) as {
      model: unknown;
      stream: unknown;
      messages: { role: string; content: string }[];
    };
    asked.push({
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body,
      model,
      stream,
      messages: Object.fromEntries(messages.map(({ role, content }) => [role, content])),
    });
    const now = mood;
    if (now === 'drops') request.socket.destroy();
    else if (now !== 'hangs') {
      if ('says' in now) tell(now, response);
      else if ('raw' in now) {
        response.writeHead(200, { 'content-type': now.type ?? 'text/event-stream' }).end(now.raw);
      } else response.writeHead(now.status, now.headers).end(now.body ?? '');
    }
    came.add();
  }

  function tell({ says, thinks = [], ends = 'stop' }: Saying, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: '' }));
    for (const reasoning_content of thinks) response.write(chunk({ reasoning_content }));
    for (const content of says) response.write(chunk({ content }));
    if (ends === 'hangs') hanging.add(response);
    else if (ends === 'drops') setImmediate(() => response.destroy());
    else if (ends === 'never ends') {
      const more = () => {
        while (!response.destroyed && response.write(chunk({ content: 'and then '.repeat(50) })));
      };
      response.on('drain', more);
      more();
    } else if (ends === 'no reason') response.end('data: [DONE]\n\n');
    else response.end(`${chunk({}, ends)}data: [DONE]\n\n`);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    underWay: () => underWay.size,
    behave(next) {
      mood = next;
    },
    finish() {
      for (const response of hanging) response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
      hanging.clear();
    },
    came: came.reached,
    left: (count = 1) => left.reached(count),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
