// Receives a body: the one place that reads what was sent, whatever it is. Each piece is copied into one buffer: as an object
// of its own a piece of one byte takes hundreds, and somebody may send nothing but such.
import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { AppError } from '../errors.ts';

export interface Received {
  /** @returns whether there was room for it; where there was not, nothing of it is kept */
  add(piece: Uint8Array): boolean;
  /** In bytes. */
  size(): number;
  /** A view of all that came. */
  bytes(): Buffer;
  /** Lets go of it: a connection on which more is sent may stand for long. */
  drop(): void;
}

/** Where a body begins that nobody has announced, in bytes. */
const FIRST = 16 * 1024;

/** @param most bytes that there is room for; no more than twice of what came is set aside, and never more than this */
export function receiveUpTo(most: number): Received {
  let room = Buffer.allocUnsafe(Math.min(FIRST, most));
  let size = 0;
  return {
    add(piece) {
      const after = size + piece.length;
      if (after > most) return false;
      if (after > room.length) {
        const larger = Buffer.allocUnsafe(Math.min(most, Math.max(after, 2 * room.length)));
        room.copy(larger, 0, 0, size);
        room = larger;
      }
      room.set(piece, size);
      size = after;
      return true;
    },
    size: () => size,
    bytes: () => room.subarray(0, size),
    drop() {
      room = Buffer.alloc(0);
    },
  };
}

/** A body that is being received, and becomes a `T`. */
export interface Receiving<T = Buffer> {
  /**
   * All of it.
   * @throws AppError `too-large`; `bad-request` where its sender has gone, or sends what is no body; or what ended it
   */
  whole: Promise<T>;
  /** Bytes that have come. */
  size(): number;
  /** Ends it, though it may wait for a byte that never comes. */
  giveUp(error: AppError): void;
}

/**
 * @param most bytes that are taken. The parser of HTTP sees to it that no more comes than was announced.
 * @param onGrowth told of its size whenever more has come
 */
export function receiveBody(c: Context, most: number, onGrowth?: (size: number) => void): Receiving {
  const incoming = (c.env as Partial<HttpBindings> | undefined)?.incoming;
  const received = receiveUpTo(most);
  const size = received.size;
  const announced = Number(c.req.header('content-length') ?? 0);
  if (announced > most) return { whole: Promise.reject(new AppError('too-large')), size, giveUp: () => {} };
  if (!(incoming instanceof IncomingMessage)) return receiveFrom(withoutSocket(c), { received, onGrowth });
  // A body that is here already, as most are, in one piece.
  const here = (incoming.read() ?? Buffer.alloc(0)) as Buffer;
  if (incoming.complete && incoming.readableLength === 0 && here.length <= most)
    return { whole: Promise.resolve(here), size: () => here.length, giveUp: () => {} };
  const first = here.length > 0 ? here : null;
  return receiveFrom(incoming, { received, onGrowth, first });
}

/** What a body comes from: its socket's message. */
export function sourceOf(c: Context): Readable {
  const incoming = (c.env as Partial<HttpBindings> | undefined)?.incoming;
  return incoming instanceof IncomingMessage ? incoming : withoutSocket(c);
}

/** Tests speak to the app without a socket. */
const withoutSocket = (c: Context): Readable =>
  c.req.raw.body ? Readable.fromWeb(c.req.raw.body as ReadableStream<Uint8Array>) : Readable.from([]);

interface Into {
  received: Received;
  onGrowth: ((size: number) => void) | undefined;
  /** What has come already. */
  first?: Buffer | null;
}

function receiveFrom(source: Readable, { received, onGrowth, first = null }: Into): Receiving {
  let giveUp: (error: AppError) => void = () => {};
  const whole = new Promise<Buffer>((resolve, reject) => {
    const onPiece = (piece: Uint8Array) => {
      if (!received.add(piece)) giveUp(new AppError('too-large'));
      else onGrowth?.(received.size());
    };
    const onEnd = () => finish(() => resolve(received.bytes()));
    // Its sender has gone, or sends what is no body.
    const onBreak = () => giveUp(new AppError('bad-request'));
    const finish = (settle: () => void) => {
      source.off('data', onPiece).off('end', onEnd).off('error', onBreak).off('close', onBreak);
      settle();
    };
    giveUp = (error) => {
      finish(() => reject(error));
      received.drop();
      source.on('error', () => {});
      // What still comes over a socket is thrown away until the answer has left.
      if (source instanceof IncomingMessage) source.resume();
      else source.destroy();
    };
    if (first && !received.add(first)) giveUp(new AppError('too-large'));
    else if (source.destroyed) onBreak();
    else source.on('data', onPiece).on('end', onEnd).on('error', onBreak).on('close', onBreak);
  });
  return { whole, size: received.size, giveUp };
}
