// The places that one kind of call has in this process: a few of each person, and a bounded number of all. Where all are taken,
// the network that has most of them makes room, so that many accounts of one network keep nobody else out.
import { AppError } from '../errors.ts';

export interface PlaceLimits {
  /** How many there are. */
  atOnce: number;
  perPerson: number;
}

/** Whoever has a place: an account's number, or the name of what lets somebody in who has none. */
export type Person = number | string;

export interface Place {
  readonly person: Person;
  readonly network: string;
  /** Ends what is going on in it, because another network is given the place. */
  giveUp: (error: AppError) => void;
  leave: () => void;
}

export interface Places {
  /**
   * @param network where the person calls from
   * @returns a place, to be given back
   * @throws AppError `too-many` for more than one person may have at a time, `busy` where there is no room
   */
  enter(person: Person, network: string): Place;
  /** Whether a place has neither been given back nor to another one. */
  has(place: Place): boolean;
}

/** After how many seconds somebody may try again. */
const SOON = 5;

/** What is told to somebody for whom there is no place, or not any more. */
export const busy = (): AppError =>
  new AppError('busy', 'This server is busy. Please try again in a few seconds.', SOON);

/** @param whatWaits what the person has too much of already, as a sentence goes on after their number */
export function createPlaces({ atOnce, perPerson }: PlaceLimits, whatWaits: string): Places {
  /** In the order in which they were taken. */
  const taken = new Set<Place>();
  const of = (network: string) => [...taken].filter((place) => place.network === network);

  /** Has the network with the most places give back the one that it has had for longest, unless that is the newcomer's own. */
  function makeRoom(newcomer: string): void {
    const most = [...taken]
      .map(({ network }) => of(network))
      .sort((one, other) => other.length - one.length)[0];
    const isFairer = most && most.length - 1 > of(newcomer).length;
    if (!isFairer || !most[0]) throw busy();
    taken.delete(most[0]);
    most[0].giveUp(busy());
  }

  return {
    enter(person, network) {
      const own = [...taken].filter((place) => place.person === person);
      if (own.length >= perPerson) {
        throw new AppError('too-many', `${perPerson} at a time: ${whatWaits}`, SOON);
      }
      if (taken.size >= atOnce) makeRoom(network);
      const place: Place = { person, network, giveUp: () => {}, leave: () => void taken.delete(place) };
      taken.add(place);
      return place;
    },
    has: (place) => taken.has(place),
  };
}
