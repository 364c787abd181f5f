// How much memory the bodies of requests may take together. Each call bounds its own, and one person may send hundreds at
// once: a hundred entries of two megabytes ended a server whose heap has 256.
import { SECOND } from '../shared/time.ts';
import { type AppError, tooMany } from './errors.ts';
import type { Holder } from './heavy-answers.ts';

/** Sizes are bytes. */
export interface BodyRoomLimits {
  /** Up to this size a body is not counted. */
  light: number;
  /** What all others may have together, until they are answered. */
  held: number;
}

const MEGABYTE = 1024 * 1024;

/** While it is worked on, a body takes up to four times what was sent. The largest one of all has 21 MB. */
export const bodyRoomLimits: BodyRoomLimits = { light: MEGABYTE / 16, held: 48 * MEGABYTE };

/** After how long somebody may try again whose body made room, in milliseconds. */
const SOON = 10 * SECOND;

/** A body that is received, and then worked on. */
export interface HeldBody {
  /** So many bytes of it have come. It may be given up itself, where all others are worked on. */
  grow(size: number): void;
  /** It has come whole, and makes room for nobody any more. */
  settle(): void;
  leave(): void;
}

export interface BodyRoom {
  /**
   * @param holder whom the body is of
   * @param giveUp ends it while it is being received
   */
  enter(holder: Holder, giveUp: (error: AppError) => void): HeldBody;
}

interface Occupant {
  holder: Holder;
  size: number;
  giveUp: ((error: AppError) => void) | null;
}

export function createBodyRoom({ light, held }: BodyRoomLimits): BodyRoom {
  /** Those that are counted, the oldest first. */
  const inside = new Set<Occupant>();
  let total = 0;

  /** Of whoever holds most, the one that began first: nobody loses their place to somebody who sends more than they do. */
  function nextToGo(): Occupant | undefined {
    const shares = new Map<Holder, number>();
    for (const { holder, size } of inside) shares.set(holder, (shares.get(holder) ?? 0) + size);
    const share = ({ holder }: Occupant) => shares.get(holder) ?? 0;
    let greediest: Occupant | undefined;
    for (const one of inside) {
      if (one.giveUp && (!greediest || share(one) > share(greediest))) greediest = one;
    }
    return greediest;
  }

  function leave(one: Occupant): void {
    if (inside.delete(one)) total -= one.size;
    one.giveUp = null;
  }

  return {
    enter(holder, giveUp) {
      const one: Occupant = { holder, size: 0, giveUp };
      return {
        grow(size) {
          if (size <= light || !one.giveUp) return;
          inside.add(one);
          total += size - one.size;
          one.size = size;
          while (total > held) {
            const victim = nextToGo();
            if (!victim) return;
            const end = victim.giveUp;
            leave(victim);
            end?.(tooMany(SOON, 'This server is sent too much at once.'));
          }
        },
        settle: () => {
          one.giveUp = null;
        },
        leave: () => leave(one),
      };
    },
  };
}
