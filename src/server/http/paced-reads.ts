// Answers that are read out of a store for as long as their readers take: how many there are at a time, and how much patience
// there is with each. A reader that takes nothing would hold an open file, or a connection to the bucket, for ever.
import type { Clock } from '../clock.ts';
import { type AppError, clientGone } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { fallsBehind, type Pace } from '../pace.ts';
import { busy, createPlaces, type Person, type PlaceLimits } from './places.ts';

/** Times are milliseconds. */
export interface PacedReadLimits extends Pace, PlaceLimits {
  /** Over how long the pace is measured: what was read quickly before excuses nobody for longer. */
  window: number;
  /** How often all of this is looked at. */
  checkEvery: number;
}

/**
 * A page reads a few files at a time: pictures, and the pieces of a recording. Whoever takes less than 1 KiB a second over a
 * minute is gone, or feigns: between a slow line and us stand some hundred KiB of buffers, and a browser that was cut goes on from
 * where it was.
 */
export const pacedReadLimits: PacedReadLimits = {
  atOnce: 128,
  perPerson: 12,
  grace: 60_000,
  bytesPerSecond: 1024,
  window: 60_000,
  checkEvery: 5000,
};

export interface PacedReads {
  /**
   * Takes a place for what somebody reads, until it is read, given up or cut.
   * @param reader who of those that share the person's places
   * @param open gives the bytes; called once there is a place. What it throws is thrown, and the place is free again
   * @throws AppError `too-many` for more than one person may read at a time, `busy` where there is no room
   */
  read(
    { person, network, reader }: { person: Person; network: string; reader?: Person },
    open: () => Promise<ReadableStream<Uint8Array>>,
  ): Promise<ReadableStream<Uint8Array>>;
}

/** @param elapsed milliseconds that only ever advance */
export function createPacedReads(
  elapsed: Clock,
  metrics: Pick<Metrics, 'countCut'>,
  limits: PacedReadLimits = pacedReadLimits,
): PacedReads {
  const places = createPlaces(limits, 'others of yours are still being read.');
  return {
    async read({ person, network, reader }, open) {
      const place = places.enter(person, network, reader);
      try {
        const source = await open();
        if (places.has(place)) return paced(source, place, { elapsed, limits, onCut: metrics.countCut });
        // Another network was given the place meanwhile.
        source.cancel().catch(() => {});
        throw busy();
      } catch (error) {
        place.leave();
        throw error;
      }
    },
  };
}

interface Watched {
  elapsed: Clock;
  limits: PacedReadLimits;
  /** The answer is ended before its reader has all of it. */
  onCut: () => void;
}

/** Hands on a stream for as long as it is read at a pace. Time in which the store is waited for is nobody's fault. */
function paced(
  source: ReadableStream<Uint8Array>,
  place: { giveUp: (error: AppError) => void; leave: () => void },
  { elapsed, limits, onCut }: Watched,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let isOver = false;
  /** Since the store is waited for; null while the reader is. */
  let asked: number | null = null;
  let span = { since: elapsed(), bytes: 0 };

  function end(): void {
    isOver = true;
    clearInterval(timer);
    place.leave();
  }
  function cut(error: AppError): void {
    if (isOver) return;
    end();
    onCut();
    controller.error(error);
    void reader.cancel(error).catch(() => {});
  }
  place.giveUp = cut;

  const timer = setInterval(() => {
    if (asked !== null) return;
    const past = elapsed() - span.since;
    if (fallsBehind({ bytes: span.bytes, elapsed: past }, limits)) cut(clientGone());
    else if (past > limits.window) span = { since: elapsed(), bytes: 0 };
  }, limits.checkEvery);
  timer.unref();

  return new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      async pull() {
        asked = elapsed();
        const next = await reader.read().catch((error: unknown) => {
          end();
          throw error;
        });
        span.since += elapsed() - asked;
        asked = null;
        if (isOver) return;
        if (next.done) {
          end();
          controller.close();
        } else {
          span.bytes += next.value.length;
          controller.enqueue(next.value);
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    // Nothing is read ahead of its reader.
    { highWaterMark: 0 },
  );
}
