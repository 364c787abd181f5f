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
  /** In the order in which they began. */
  const inside = new Set<Place>();
  const of = (network: string) => [...inside].filter((place) => place.network === network);

  /** Has the network with the most places give back the one that it has had for longest, unless that is the newcomer's own. */
  function makeRoom(newcomer: string): void {
    const most = [...inside]
      .map(({ network }) => of(network))
      .sort((one, other) => other.length - one.length)[0];
    const isFairer = most && most.length - 1 > of(newcomer).length;
    if (!isFairer || !most[0]) throw busy();
    inside.delete(most[0]);
    most[0].giveUp(busy());
  }

  return {
    expectType: (c: Context) => expectType(c, type),

    /**
     * Many accounts of one network do not keep everybody else out: where all places are taken, that network makes room.
     * @param person whoever sends it
     * @param network where it comes from
     * @returns a place, to be given back
     * @throws AppError `too-many` for more than one person may send at a time, `busy` where there is no room
     */
    enter(person: number, network: string): Place {
      const own = [...inside].filter((place) => place.person === person);
      if (own.length >= perPerson) {
        throw new AppError('too-many', `${perPerson} at a time: others of yours are still coming.`, SOON);
      }
      if (inside.size >= atOnce) makeRoom(network);
      const place: Place = { person, network, giveUp: () => {}, leave: () => void inside.delete(place) };
      inside.add(place);
      return place;
    },

    /** @param place what it came in by */
    open: (c: Context, place?: Place): StreamedBody => ({
      into: (most, keep) => {
        const body = streamOf(sourceOf(c), most);
        if (place) {
          place.giveUp = body.giveUp;
          if (!inside.has(place)) body.giveUp(busy());
        }
        return inTime(
          { whole: keep(body.pieces()), size: body.size, giveUp: body.giveUp },
          { limits, elapsed },
        );
      },
    }),
  };
}

/** Of one body among those that are received at a time. */
interface Place {
  readonly person: number;
  readonly network: string;
  /** Ends the body that is in it. */
  giveUp: (error: AppError) => void;
  leave: () => void;
}

const busy = () => new AppError('busy', 'This server is busy. Please send it again in a few seconds.', SOON);

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
