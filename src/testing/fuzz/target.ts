// The program under the fuzz: speaks raw HTTP to it, from as many addresses as are wanted, and asks it how much of the
// processor it has used.
import { Agent, type ClientRequest, request as httpRequest } from 'node:http';
import { createConnection } from 'node:net';
import { expect } from 'vitest';
import type { ServerProcess } from '../server-program.ts';
import type { FuzzRequest } from './requests.ts';

export const METRICS_TOKEN = 'a-token-of-the-fuzz';
/** Milliseconds. Whatever takes longer hangs, on the slowest machine. */
const PATIENCE = 30_000;

export interface Answer {
  status: number;
  text: string;
  code: string;
}

export interface Target {
  send(request: FuzzRequest, cookie: string | null): Promise<Answer>;
  /** Whether the server says that it is well. */
  isWell(): Promise<void>;
  /** Seconds of processor time that the program has used until now, on all its threads. */
  cpu(): Promise<number>;
  /** Sends bytes that need not be HTTP, and answers what came back before the connection ended. */
  raw(bytes: string | Buffer): Promise<string>;
  close(): void;
}

export function aim(server: ServerProcess): Target {
  const { hostname, port } = new URL(server.url);
  const agents = [
    new Agent({ keepAlive: true, maxSockets: 2 }),
    new Agent({ keepAlive: true, maxSockets: 1 }),
  ];
  const [fuzzAgent, calmAgent] = agents;
  let sent = 0;

  /** The gate counts by address, and a guesser has many. */
  function anAddress(): string {
    sent += 1;
    return `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
  }

  function ask(
    agent: Agent | undefined,
    { method, path, headers, body, chunked }: FuzzRequest,
    cookie: string | null,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sending: ClientRequest = httpRequest(
        {
          ...(agent ? { agent } : {}),
          host: hostname,
          port,
          method,
          path,
          headers: {
            'x-forwarded-for': anAddress(),
            ...(cookie === null ? {} : { cookie }),
            ...headers,
            ...(body && !chunked ? { 'content-length': String(body.length) } : {}),
            ...(chunked && body ? { 'transfer-encoding': 'chunked' } : {}),
          },
          timeout: PATIENCE,
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.once('error', reject);
          response.once('end', () => {
            const text = Buffer.concat(parts).toString('utf8');
            const [, code = ''] = /"code":"([a-z-]+)"/.exec(text) ?? [];
            resolve({ status: response.statusCode ?? 0, text, code });
          });
        },
      );
      sending.once('timeout', () => sending.destroy(new Error('no answer for half a minute')));
      sending.once('error', reject);
      sending.end(body ?? undefined);
    });
  }

  const calmly = (path: string, headers: Record<string, string> = {}) =>
    ask(calmAgent, { method: 'GET', path, headers, body: null, chunked: false }, null);

  return {
    send: (request, cookie) => ask(fuzzAgent, request, cookie),
    async isWell() {
      const { status, text } = await calmly('/healthz');
      expect(`${status} ${text}`).toBe('200 {"status":"ok"}');
    },
    async cpu() {
      const { text } = await calmly('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
      return Number(/^latebra_process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
    },
    raw: (bytes) =>
      new Promise((resolve, reject) => {
        const socket = createConnection(Number(port), hostname);
        const parts: Buffer[] = [];
        socket.setTimeout(PATIENCE, () => socket.destroy(new Error('no end for half a minute')));
        socket.on('data', (part) => parts.push(part));
        // A connection that is cut is an answer as well.
        socket.once('error', (error: NodeJS.ErrnoException) =>
          error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve('') : reject(error),
        );
        socket.once('close', () => resolve(Buffer.concat(parts).toString('latin1')));
        socket.end(bytes);
      }),
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}
