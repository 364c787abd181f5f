// How much memory the bodies of requests may take together. Each call bounds its own, and one person may send hundreds at
// once: a hundred entries of two megabytes ended a server whose heap has 256. Strangers have a room of their own, so that
// no number of them takes anything from people who are signed in; and so have other servers, whose letters weigh megabytes and are
// known to be theirs only once they are here.
import { SECOND } from '../shared/time.ts';
import { type AppError, tooMany } from './errors.ts';
import type { Client } from './heavy-answers.ts';

/** Sizes are bytes. */
export interface BodyRoomLimits {
  /** Up to this size a body is not counted. */
  light: number;
  /** What all others may have together, until they are answered. */
  together: number;
  /** How much becomes free when room is made: each of a thousand small bodies would else be compared with all others. */
  spare: number;
}

const MEGABYTE = 1024 * 1024;

/**
 * While it is worked on, a body takes up to four times what was sent. The largest one of all has 21 MB, and strangers send
 * 64 KiB at most to the calls that are read in their room: whatever anyone may send that is larger is in that of servers, at most
 * 4 MB each.
 */
export const bodyRoomLimits: Record<keyof BodyRooms, BodyRoomLimits> = {
  members: { light: 4096, together: 48 * MEGABYTE, spare: MEGABYTE / 16 },
  strangers: { light: 4096, together: 8 * MEGABYTE, spare: MEGABYTE / 16 },
  servers: { light: 4096, together: 12 * MEGABYTE, spare: MEGABYTE / 16 },
};

/** After how long somebody may try again whose body made room, in milliseconds. */
const SOON = 10 * SECOND;

/** A body that is received, and then worked on. */
export interface CountedBody {
  /** So many bytes of it have come. It may be given up itself, where all others are worked on. */
  grow(size: number): void;
  /** It has come whole, and makes room for nobody any more. */
  settle(): void;
  /** It waits for somebody else than this server, who may never answer: until it is settled again it makes room as while it came. */
  wait(giveUp: (error: AppError) => void): void;
  leave(): void;
}

export interface BodyRoom {
  /**
   * @param client whom the body is of
   * @param giveUp ends it while it is being received
   */
  enter(client: Client, giveUp: (error: AppError) => void): CountedBody;
}

export interface BodyRooms {
  members: BodyRoom;
  strangers: BodyRoom;
  servers: BodyRoom;
}

export const createBodyRooms = (limits = bodyRoomLimits): BodyRooms => ({
  members: createBodyRoom(limits.members),
  strangers: createBodyRoom(limits.strangers),
  servers: createBodyRoom(limits.servers),
});

/** Asks somebody else while a body is held. @param ended tells that nobody waits for the answer any more */
export type WhileHeld = <T>(ask: (ended: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Waits for somebody else while the body of a request is held: only for as long as nobody needs its room.
 * @throws AppError `too-many` where it had to make room
 */
export async function waitWith<T>(
  body: CountedBody | undefined,
  ask: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const madeRoom = new Promise<never>((_, reject) => {
    body?.wait((error) => {
      reject(error);
      ended.abort(error);
    });
  });
  try {
    return await Promise.race([ask(ended.signal), madeRoom]);
  } finally {
    body?.settle();
  }
}

interface Occupant {
  client: Client;
  size: number;
  giveUp: ((error: AppError) => void) | null;
}

export function createBodyRoom({ light, together, spare }: BodyRoomLimits): BodyRoom {
  /** Those that are counted, the oldest first. */
  const inside = new Set<Occupant>();
  const shares = new Map<Client, number>();
  let total = 0;

  function count({ client }: Occupant, bytes: number): void {
    total += bytes;
    const share = (shares.get(client) ?? 0) + bytes;
    if (share > 0) shares.set(client, share);
    else shares.delete(client);
  }

  function leave(one: Occupant): void {
    one.giveUp = null;
    if (inside.delete(one)) count(one, -one.size);
  }

  /** Of whoever holds most, the one that began first: nobody loses their place to somebody who sends more than they do. */
  function nextToGo(): Occupant | undefined {
    const share = ({ client }: Occupant) => shares.get(client) ?? 0;
    let greediest: Occupant | undefined;
    for (const one of inside) {
      if (one.giveUp && (!greediest || share(one) > share(greediest))) greediest = one;
    }
    return greediest;
  }

  function makeRoom(): void {
    while (total > together - spare) {
      const one = nextToGo();
      if (!one) return;
      const { giveUp } = one;
      leave(one);
      giveUp?.(tooMany(SOON, 'This server is sent too much at once.'));
    }
  }

  return {
    enter(client, giveUp) {
      const one: Occupant = { client, size: 0, giveUp };
      return {
        grow(size) {
          if (size <= light || !one.giveUp) return;
          inside.add(one);
          count(one, size - one.size);
          one.size = size;
          if (total > together) makeRoom();
        },
        settle: () => {
          one.giveUp = null;
        },
        wait(end) {
          one.giveUp = end;
        },
        leave: () => leave(one),
      };
    },
  };
}
