// Receives a body piece by piece, for a handler that puts each where it belongs as it comes: a few bodies of one person at a
// time, and a bounded number of all. What is not taken yet waits in the socket, so that none of them is held in memory.
import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Context } from 'hono';
import { PARTS_AT_ONCE } from '../../shared/file-limits.ts';
import type { RawBody } from '../../shared/http/call.ts';
import { AppError } from '../errors.ts';
import type { BodyPatience, Uploads } from '../upload-limits.ts';
import { expectType } from './raw-body.ts';
import { sourceOf } from './received.ts';
import { inTime } from './uploads.ts';

export interface StreamedBodyLimits extends BodyPatience {
  /** Bodies of one call that are received at a time by this process. */
  atOnce: number;
  perPerson: number;
}

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

/** After how many seconds somebody may try again. */
const SOON = 5;

/** @returns lets the bodies of one call in */
export function streamedBodyReader(
  { uploads: { elapsed } }: { uploads: Pick<Uploads, 'elapsed'> },
  { type }: Pick<RawBody, 'type'>,
  limits: StreamedBodyLimits = streamedBodyLimits,
) {
  const { atOnce, perPerson } = limits;
  /** How many each person sends just now. */
  const inside = new Map<number, number>();
  let total = 0;

  return {
    expectType: (c: Context) => expectType(c, type),

    /**
     * @param person whoever sends it
     * @returns how to give the place back
     * @throws AppError `too-many` for more than one person may send at a time, `busy` where all places are taken
     */
    enter(person: number): () => void {
      const own = inside.get(person) ?? 0;
      if (own >= perPerson) {
        throw new AppError('too-many', `${perPerson} at a time: others of yours are still coming.`, SOON);
      }
      if (total >= atOnce) {
        throw new AppError('busy', 'This server is busy. Please send it again in a few seconds.', SOON);
      }
      inside.set(person, own + 1);
      total += 1;
      return () => {
        const left = (inside.get(person) ?? 1) - 1;
        if (left > 0) inside.set(person, left);
        else inside.delete(person);
        total -= 1;
      };
    },

    open: (c: Context): StreamedBody => ({
      into: (most, keep) => {
        const body = streamOf(sourceOf(c), most);
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
