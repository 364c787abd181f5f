// Asks an object store of Amazon's kind, by HTTP alone: every request is signed, what can be asked twice is asked again after
// a while where the store is busy or away, and a body is sent as it comes.
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { FileStoreAway, type PartContent } from './file-store.ts';
import { canonicalQuery, NO_PAYLOAD, type S3Key, signedHeaders } from './s3-signature.ts';

export interface Bucket {
  /** Its address, with its name in the host or in the path. */
  url: URL;
  key: S3Key;
}

export interface S3Patience {
  /** How long is waited before each further try, in milliseconds. */
  waits: readonly number[];
  /** After how many milliseconds without a byte a connection is given up. */
  silence: number;
  /** Waits so many milliseconds. */
  pause: (time: number) => Promise<unknown>;
}

export const s3Patience: S3Patience = { waits: [200, 1000, 4000], silence: 30_000, pause: setTimeout };

export interface S3Question {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Below the bucket; empty for the bucket itself. */
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

/** What the store says in place of what was asked for. */
export class S3Refusal extends FileStoreAway {
  readonly status: number;
  /** A word of the protocol, such as `AccessDenied`. */
  readonly reason: string | null;
  /** What storage.ts knows as a disk that takes nothing. */
  readonly code: string | undefined;
  constructor(status: number, reason: string | null) {
    super(`the bucket of files answers ${status}${reason === null ? '' : ` ${reason}`}`);
    this.status = status;
    this.reason = reason;
    this.code = status === 507 || reason === 'QuotaExceeded' ? 'EDQUOT' : undefined;
  }
}

export type S3Requests = ReturnType<typeof createS3Requests>;

/** How long a connection may wait for the next request: stores close those that wait, some after five seconds. */
const KEPT_FOR = 4000;

export function createS3Requests({ url: bucket, key }: Bucket, patience: S3Patience = s3Patience) {
  const isTls = bucket.protocol === 'https:';
  const agentOptions = { keepAlive: true, timeout: KEPT_FOR };
  const agent = isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);

  function begin({ method, path, query = {}, headers = {} }: S3Question, payload: string): ClientRequest {
    const url = new URL(bucket);
    url.pathname = [bucket.pathname.replace(/\/+$/, ''), path].filter(Boolean).join('/') || '/';
    url.search = canonicalQuery(new URLSearchParams(query));
    const signed = signedHeaders({ method, url, headers, payload, at: Date.now() }, key);
    const request = (isTls ? httpsRequest : httpRequest)(url, { method, headers: signed, agent });
    return request.setTimeout(patience.silence, () =>
      request.destroy(new FileStoreAway('the bucket of files is silent')),
    );
  }

  /** @param waits before each further try that it has */
  async function ask(question: S3Question, waits = patience.waits): Promise<IncomingMessage> {
    try {
      const request = begin(question, NO_PAYLOAD);
      const answered = answerOf(request);
      request.end();
      return await accepted(await answered);
    } catch (error) {
      const [wait, ...later] = waits;
      if (wait === undefined || !mayHelpLater(error)) throw error;
      await patience.pause(wait);
      return ask(question, later);
    }
  }

  return {
    /**
     * Asks for something that can be asked for twice.
     * @param once do not try again
     * @returns the answer, of which something has to be read or `resume`d
     * @throws FileStoreAway, also as S3Refusal
     */
    ask: (question: S3Question, { once = false } = {}) => ask(question, once ? [] : patience.waits),

    /**
     * Sends a body as it comes. It is tried again as long as nothing of the body was taken.
     * @throws what the pieces throw, and FileStoreAway
     */
    async send(path: string, pieces: AsyncIterable<Uint8Array>, content: PartContent): Promise<void> {
      const payload = Buffer.from(content.digest, 'base64url').toString('hex');
      const headers = { 'content-length': String(content.bytes), 'content-type': 'application/octet-stream' };
      const { request, answered } = await connected(() => {
        const request = begin({ method: 'PUT', path, headers }, payload);
        return { request, answered: answerOf(request) };
      });
      try {
        await write(request, pieces, content.bytes, answered);
        (await accepted(await answered)).resume();
      } catch (error) {
        request.destroy();
        throw error;
      }
    },
  };

  async function connected<T extends { request: ClientRequest }>(
    open: () => T,
    waits = patience.waits,
  ): Promise<T> {
    const opened = open();
    try {
      await connection(opened.request, isTls);
      return opened;
    } catch (error) {
      const [wait, ...later] = waits;
      if (wait === undefined) throw error;
      await patience.pause(wait);
      return connected(open, later);
    }
  }
}

/** @throws FileStoreAway where no answer comes */
function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', (error) => reject(asAway(error)));
  });
  // Whoever waits for it is told; nobody may, where the body fails first.
  answer.catch(() => {});
  return answer;
}

const asAway = (error: Error) =>
  error instanceof FileStoreAway
    ? error
    : new FileStoreAway('the bucket of files cannot be reached', { cause: error });

/** Waits until a request has a connection. @throws FileStoreAway */
function connection(request: ClientRequest, isTls: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    request.once('error', (error) => reject(asAway(error)));
    request.once('socket', (socket) => {
      if (request.reusedSocket) resolve();
      else socket.once(isTls ? 'secureConnect' : 'connect', () => resolve());
    });
  });
}

/** Sends the pieces of a body as fast as they are taken. An answer that comes before its end ends it. */
async function write(
  request: ClientRequest,
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
  answered: Promise<IncomingMessage>,
): Promise<void> {
  let isAnswered = false;
  const answer = answered.then(
    () => (isAnswered = true),
    () => (isAnswered = true),
  );
  let written = 0;
  for await (const piece of pieces) {
    written += piece.length;
    if (written > bytes || isAnswered) break;
    if (request.write(piece)) continue;
    await Promise.race([answer, new Promise((resolve) => request.once('drain', resolve))]);
  }
  if (written === bytes) return void request.end();
  // A request that ends early would give its connection back, and what follows on it would be taken for the rest of the body.
  if (isAnswered) {
    await accepted(await answered);
    throw new FileStoreAway('the bucket of files answers before it has a body');
  }
  throw new Error(`a part of ${bytes} bytes came with ${written}`);
}

/** @throws S3Refusal for every answer but those that say that it was done */
async function accepted(answer: IncomingMessage): Promise<IncomingMessage> {
  const { statusCode: status = 0 } = answer;
  if (status >= 200 && status < 300) return answer;
  const [, reason = null] = /<Code>(\w{1,100})<\/Code>/.exec(await textOf(answer)) ?? [];
  throw new S3Refusal(status, reason);
}

/** The longest list of a thousand names, and more. */
const TEXT_MAX = 4 * 1024 ** 2;

/** What an answer says. @throws FileStoreAway where it breaks off, or is longer than any answer has reason to be */
export async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > TEXT_MAX) break;
      pieces.push(piece);
    }
  } catch (error) {
    throw asAway(error as Error);
  }
  if (size > TEXT_MAX) throw new FileStoreAway('the bucket of files says too much');
  return Buffer.concat(pieces).toString('utf8');
}

/** Whether an answer may be another one in a while. */
export const mayHelpLater = (error: unknown): boolean =>
  error instanceof S3Refusal
    ? error.status >= 500 || error.status === 429 || error.status === 408
    : error instanceof FileStoreAway;
