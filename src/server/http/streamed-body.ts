// Receives a body piece by piece, for a handler that puts each where it belongs as it comes: a few bodies of one person at a
// time, and a bounded number of all. What is not taken yet waits in the socket, so that none of them is held in memory.
import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Context } from 'hono';
import { PARTS_AT_ONCE } from '../../shared/file-limits.ts';
import type { RawBody } from '../../shared/http/call.ts';
import { AppError } from '../errors.ts';
import type { BodyPatience, Uploads } from '../upload-limits.ts';
import { busy, createPlaces, type Place, type PlaceLimits } from './places.ts';
import { expectType } from './raw-body.ts';
import { sourceOf } from './received.ts';
import { inTime } from './uploads.ts';

/** The places are those of one call. */
export interface StreamedBodyLimits extends BodyPatience, PlaceLimits {}

/**
 * Each takes a file that is open, and some pieces of 64 KiB: a slow one costs little. The time ends before that of the whole
 * request (connections.ts), so that it is answered; a line that carries three parts in it has 90 KiB a second, and the
 * smallest parts come over one of twelve.
 */
export const streamedBodyLimits: StreamedBodyLimits = {
  atOnce: 24,
  perPerson: PARTS_AT_ONCE,
  within: 280_000,
  grace: 10_000,
  bytesPerSecond: 4 * 1024,
  checkEvery: 1000,
};

/** A body that its handler takes as it comes. */
export interface StreamedBody {
  /**
   * Hands its pieces to what keeps them, once.
   * @param most bytes that are taken
   * @returns what `keep` has made of them
   * @throws AppError `too-large`, `too-slow`, or `bad-request` where its sender has gone; and what `keep` throws
   */
  into<T>(most: number, keep: (pieces: AsyncIterable<Buffer>) => Promise<T>): Promise<T>;
}

/** @returns lets the bodies of one call in */
export function streamedBodyReader(
  { uploads: { elapsed } }: { uploads: Pick<Uploads, 'elapsed'> },
  { type }: Pick<RawBody, 'type'>,
  limits: StreamedBodyLimits = streamedBodyLimits,
) {
  const places = createPlaces(limits, 'others of yours are still coming.');

  return {
    expectType: (c: Context) => expectType(c, type),

    /** A place for the body of somebody, to be given back. @throws as `Places.enter` */
    enter: places.enter,

    /** @param place what it came in by */
    open: (c: Context, place?: Place): StreamedBody => ({
      into: (most, keep) => {
        const body = streamOf(sourceOf(c), most);
        if (place) {
          place.giveUp = body.giveUp;
          if (!places.has(place)) body.giveUp(busy());
        }
        return inTime(
          { whole: keep(body.pieces()), size: body.size, giveUp: body.giveUp },
          { limits, elapsed },
        );
      },
    }),
  };
}

function streamOf(source: Readable, most: number) {
  let size = 0;
  let failure: AppError | null = null;
  let isHeard = false;
  let wake = () => {};
  const hear = () => {
    isHeard = true;
    wake();
  };
  const giveUp = (error: AppError) => {
    failure ??= error;
    hear();
  };

  async function* pieces(): AsyncGenerator<Buffer, void, undefined> {
    source.on('readable', hear).on('end', hear).on('error', hear).on('close', hear);
    try {
      for (;;) {
        isHeard = false;
        const piece = source.read() as Buffer | null;
        if (piece) size += piece.length;
        if (size > most) failure ??= new AppError('too-large');
        if (failure) throw failure;
        if (piece) yield piece;
        else if (source.readableEnded) return;
        // Its sender has gone, or sends what is no body.
        else if (source.destroyed) throw new AppError('bad-request');
        else if (!isHeard) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      source.off('readable', hear).off('end', hear).off('error', hear).off('close', hear);
      release(source);
    }
  }
  return { pieces, size: () => size, giveUp };
}

/** What still comes over a socket is thrown away until the answer has left. */
function release(source: Readable): void {
  if (source.readableEnded) return;
  source.on('error', () => {});
  if (source instanceof IncomingMessage) source.resume();
  else source.destroy();
}
