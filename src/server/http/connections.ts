// How long a client may take. Everything here is about sockets: it reads no request and knows no person.
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { type ErrorCode, errorCodes } from '../../shared/http/error-codes.ts';
import type { Config } from '../config.ts';
import { fallsBehind } from '../pace.ts';
import { boundConnections, type OpenConnectionLimits } from './open-connections.ts';
import { boundPieces } from './pieces.ts';

/** Times are milliseconds. */
export interface ConnectionLimits extends OpenConnectionLimits {
  /** For all headers of a request, and for the first byte of a new connection. */
  headers: number;
  /** For a whole request. */
  request: number;
  /** Between two requests. Longer than the proxies in front keep theirs, or they would speak into what was just closed. */
  keepAlive: number;
  /** Without a byte in either direction, whatever is going on. */
  idle: number;
  /** How often all of this is looked at. */
  checkEvery: number;
  /** After so long a body has to come at `bytesPerSecond` at least, on average. */
  grace: number;
  bytesPerSecond: number;
}

/**
 * A line of a telephone carries eight megabytes within these; a client that feigns to be slow does not hold out. What all
 * connections together cost while nothing is read of their answers fits beside a heap of 256 MB.
 */
export const connectionLimits: ConnectionLimits = {
  headers: 15_000,
  request: 300_000,
  keepAlive: 65_000,
  idle: 120_000,
  checkEvery: 5_000,
  grace: 10_000,
  bytesPerSecond: 1024,
  perAddress: 256,
  total: 2048,
};

export const serverOptions = (limits: ConnectionLimits): ServerOptions => ({
  // Node's own answer to a request without a host would stand outside of `oneByOne`. The app answers 400 as well.
  requireHostHeader: false,
  headersTimeout: limits.headers,
  requestTimeout: limits.request,
  keepAliveTimeout: limits.keepAlive,
  connectionsCheckingInterval: limits.checkEvery,
});

/** No client of ours sends a request before the one before it was answered; some libraries send a few. */
export const PIPELINED_MAX = 16;
/** How many wait so in all connections together. */
export const WAITING_MAX = 1024;
/**
 * Headers of one request. Each costs much more than its letters, and what Node does not keep of them could be the one that
 * tells where a request comes from. Browsers send twenty, and the proxies that we know let a hundred through.
 */
export const HEADERS_MAX = 100;

/**
 * Hands on the requests of one connection one by one, each when the answer before it has left (RFC 9112, section 9.3.2).
 * Node would begin all that arrive together, and hold all their answers until the first is read. A connection that sends
 * many more is ended, and so is one that sends more while many of others wait.
 */
export function oneByOne(listener: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  let waiting = 0;
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    response.once('close', () => {
      const queue = queues.get(socket) ?? [];
      const next = socket.destroyed ? undefined : queue.shift();
      waiting -= next ? 1 : queue.length;
      if (next) answer(...next);
      else queues.delete(socket);
    });
    if (request.rawHeaders.length > 2 * HEADERS_MAX) end(socket, response, TOO_MANY_HEADERS);
    else listener(request, response);
  }
  return (request, response) => {
    const queue = queues.get(request.socket);
    if (!queue) {
      queues.set(request.socket, []);
      answer(request, response);
    } else if (queue.length < PIPELINED_MAX && waiting < WAITING_MAX) {
      queue.push([request, response]);
      waiting += 1;
    } else request.socket.destroy();
  };
}

const TOO_MANY_HEADERS = 'HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n';
const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

const [, message] = errorCodes['too-many-pieces'];
const inPieces = JSON.stringify({ message, code: 'too-many-pieces' satisfies ErrorCode });
const TOO_MANY_PIECES =
  'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n' +
  'Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n' +
  `Content-Length: ${inPieces.length}\r\n\r\n${inPieces}`;

/** Answers what cannot be handed on to the app, and ends the connection. */
function end(socket: Socket, response: ServerResponse, answer: string): void {
  if (!response.headersSent && socket.writable) socket.write(answer);
  socket.destroySoon();
}

/** A body that is being received. */
interface Body {
  request: IncomingMessage;
  response: ServerResponse;
  since: number;
  before: number;
}

/**
 * Holds clients to the limits that Node itself does not know.
 * @param elapsed milliseconds that only ever advance
 * @returns how to stop looking
 */
export function guardConnections(
  server: Server,
  config: Pick<Config, 'trustedProxies'>,
  limits: ConnectionLimits,
  elapsed: () => number,
): () => void {
  server.setTimeout(limits.idle);
  // One more than may be, so that it is seen.
  server.maxHeadersCount = HEADERS_MAX + 1;
  // Whatever else a client expects, it is told by the answer. Node's own would stand outside of `oneByOne`.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const connections = boundConnections(config, limits);
  server.on('connection', connections.open);

  /**
   * The one body that each connection may be in the midst of. It goes with the connection: a request that was answered before
   * its end, and whose client has left then, is never closed.
   */
  const receiving = new Map<Socket, Body>();
  server.on('connection', (socket: Socket) => socket.once('close', () => receiving.delete(socket)));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request;
    connections.use(socket);
    if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return;
    boundPieces(request, () => end(socket, response, TOO_MANY_PIECES));
    receiving.set(socket, { request, response, since: elapsed(), before: socket.bytesRead });
    request.once('close', () => {
      if (receiving.get(socket)?.request === request) receiving.delete(socket);
    });
    // Node drops what still comes once it has answered, without counting it, and these methods have no use for a body.
    // The answer says so, and its client sends nothing more there.
    if (request.method === 'GET' || request.method === 'HEAD') response.shouldKeepAlive = false;
  });

  const timer = setInterval(() => {
    const time = elapsed();
    for (const [socket, body] of receiving) {
      const { request, response } = body;
      if (request.complete) receiving.delete(socket);
      // Whoever was answered and goes on sending is heard by nobody.
      else if (response.writableFinished) socket.destroySoon();
      // What has come waits to be read: then it is the server that is slow.
      else if (request.readableLength > 0) Object.assign(body, { since: time, before: socket.bytesRead });
      else if (fallsBehind({ bytes: socket.bytesRead - body.before, elapsed: time - body.since }, limits)) {
        receiving.delete(socket);
        end(socket, response, TIMED_OUT);
      }
    }
  }, limits.checkEvery);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Lets the connection of a request stand idle while a long answer is made.
 * @param milliseconds how long, in place of what holds for the others
 * @returns how to end that
 */
export function letIdle(c: Context, milliseconds: number): () => void {
  const socket = (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket;
  const usual = socket?.timeout ?? 0;
  if (!socket || usual === 0 || usual >= milliseconds) return () => {};
  socket.setTimeout(milliseconds);
  return () => socket.setTimeout(usual);
}
