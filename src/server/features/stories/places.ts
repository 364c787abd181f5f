// Who may have a story written now: one at a time for each account, and a few at a time for this process. A few more wait in
// line for a while; everybody else is told at once.
import { SECOND } from '../../../shared/time.ts';
import { takingTurns } from '../../adapters/turns.ts';
import { AppError, clientGone } from '../../errors.ts';

export interface PlaceLimits {
  atOnce: number;
  /** How many wait in line. */
  waiting: number;
  /** How long somebody waits. Tests end it themselves. */
  patience: () => AbortSignal;
}

export const placeLimits = { waiting: 4, patience: () => AbortSignal.timeout(20 * SECOND) };

export interface StoryPlaces {
  /**
   * Lets an account begin.
   * @returns how to let it begin again
   * @throws AppError `story-underway` while another story is written for it
   */
  begin(uid: string): () => void;
  /**
   * Waits for a place.
   * @returns how to give the place back
   * @throws AppError `writer-busy` where none came free in time, or too many wait already
   */
  take(signal: AbortSignal): Promise<() => void>;
}

/** After how many seconds somebody may try again. */
const LATER = 30;
/** It may be the Loom that others keep busy here. */
const BUSY =
  'This server is busy with other stories. Nothing was lost: try again in a minute, or let the Loom make your story in the browser.';

export function createStoryPlaces({ atOnce, waiting: most, patience }: PlaceLimits): StoryPlaces {
  const begun = new Set<string>();
  const takeTurn = takingTurns(atOnce);
  let inside = 0;
  return {
    begin(uid) {
      if (begun.has(uid)) throw new AppError('story-underway');
      begun.add(uid);
      return () => begun.delete(uid);
    },
    async take(signal) {
      const busy = () => new AppError('writer-busy', BUSY, LATER);
      if (inside >= atOnce + most) throw busy();
      inside += 1;
      const giveBack = await takeTurn(AbortSignal.any([signal, patience()]));
      if (!giveBack) {
        inside -= 1;
        throw signal.aborted ? clientGone() : busy();
      }
      return () => {
        inside -= 1;
        giveBack();
      };
    },
  };
}
