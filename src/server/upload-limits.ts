// How many files that are sent to a call are received at a time, and how much patience there is with each. `http/uploads.ts`
// holds them to it.
import type { Clock } from './clock.ts';
import type { Pace } from './pace.ts';

/** How long a body may take. Times are milliseconds. */
export interface BodyPatience extends Pace {
  /** In which a whole file has to come. */
  within: number;
  /** How often all of this is looked at. */
  checkEvery: number;
}

export interface UploadLimits extends BodyPatience {
  /** Files of one call that are received or worked on at a time, by this process. */
  atOnce: number;
  /** How many of them may be of people who are not signed in. */
  strangersAtOnce: number;
}

/**
 * The largest files take 150 MB together, and twice as much for a moment. A line that carries 150 KB a second sends the
 * largest one in time, and one that carries 32 KiB two minutes of a telephone's recording.
 */
export const uploadLimits: UploadLimits = {
  atOnce: 6,
  strangersAtOnce: 4,
  within: 180_000,
  grace: 10_000,
  bytesPerSecond: 32 * 1024,
  checkEvery: 1000,
};

/** What receiving files goes by. */
export interface Uploads {
  limits: UploadLimits;
  /** Milliseconds that only ever advance. */
  elapsed: Clock;
}
