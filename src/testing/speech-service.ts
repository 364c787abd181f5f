// A service that turns speech into text, as OpenAI's documentation describes /audio/transcriptions: it keeps what it is
// sent, and can be told to refuse, to hang, to send nonsense or to lead elsewhere.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface HeardRequest {
  path: string;
  authorization: string | undefined;
  model: unknown;
  format: unknown;
  /** What the recording is called, and its bytes. */
  name: string;
  file: Buffer;
}

export type SpeechMood =
  | { says: string }
  | { status: number; body?: string; headers?: Record<string, string> }
  | 'hangs'
  | 'hangs in its answer'
  | 'drops'
  | 'never ends';

export interface SpeechService {
  /** For STT_BASE_URL. */
  url: string;
  heard: HeardRequest[];
  behave(mood: SpeechMood): void;
  /** Resolves once a client waits for it. */
  hanging(): Promise<void>;
  close(): Promise<void>;
}

export async function openSpeechService(): Promise<SpeechService> {
  let mood: SpeechMood = { says: 'She wrote a letter.' };
  const heard: HeardRequest[] = [];
  let onHanging = () => {};
  const hanging = new Promise<void>((resolve) => {
    onHanging = resolve;
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await new Response(new Uint8Array(await buffer(request)), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const file = form.get('file') as File;
    heard.push({
      path: request.url ?? '',
      authorization: request.headers.authorization,
      model: form.get('model'),
      format: form.get('response_format'),
      name: file.name,
      file: Buffer.from(await file.arrayBuffer()),
    });
    if (mood === 'drops') request.socket.destroy();
    else if (mood === 'hangs') onHanging();
    else if (mood === 'hangs in its answer') {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"text":');
      onHanging();
    } else if (mood === 'never ends') {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"text":"');
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
    } else if ('says' in mood) {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ text: mood.says }));
    } else response.writeHead(mood.status, mood.headers).end(mood.body ?? '');
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    heard,
    behave(next) {
      mood = next;
    },
    hanging: () => hanging,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
