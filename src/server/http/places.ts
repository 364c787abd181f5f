// The places that one kind of call has in this process: a few of each person, and a bounded number of all. Where all are taken,
// the network that has most of them makes room, so that many accounts of one network keep nobody else out; and within a network
// the person who has most. Where several share the places of one person, such as the readers of what somebody has lent, the one
// who has most of these makes room for the others.
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
  /** Who of those that share the places of one person. */
  readonly sharer: Person;
  readonly network: string;
  /** Ends what is going on in it, because somebody else is given the place. */
  giveUp: (error: AppError) => void;
  leave: () => void;
}

export interface Places {
  /**
   * @param network where the person calls from
   * @param sharer who of those that share the person's places; the person, unless told
   * @returns a place, to be given back
   * @throws AppError `too-many` for more than one person may have at a time, `busy` where there is no room
   */
  enter(person: Person, network: string, sharer?: Person): Place;
  /** Whether a place has neither been given back nor to another one. */
  has(place: Place): boolean;
}

/** After how many seconds somebody may try again. */
const SOON = 5;

/** What is told to somebody for whom there is no place, or not any more. */
export const busy = (): AppError =>
  new AppError('busy', 'This server is busy. Please try again in a few seconds.', SOON);

/** Those that have the same in common as most others; of equally many, those that come first. */
function largestGroup(places: readonly Place[], commonOf: (place: Place) => Person): Place[] {
  const groups = new Map<Person, Place[]>();
  for (const place of places) {
    const group = groups.get(commonOf(place));
    if (group) group.push(place);
    else groups.set(commonOf(place), [place]);
  }
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
}

/** @param whatWaits what the person has too much of already, as a sentence goes on after their number */
export function createPlaces({ atOnce, perPerson }: PlaceLimits, whatWaits: string): Places {
  /** In the order in which they were taken. */
  const taken = new Set<Place>();
  const of = (network: string) => [...taken].filter((place) => place.network === network);

  /**
   * Has whoever has most places in the network with most of them give back the one held for longest: for a newcomer of another
   * network that has two fewer, or a person of the same one who has.
   */
  function makeRoom(person: Person, network: string): void {
    const crowd = largestGroup([...taken], (place) => place.network);
    const own = of(network);
    const isFairNetwork = crowd.length - 1 > own.length;
    const most = largestGroup(isFairNetwork ? crowd : own, (place) => place.person);
    const isFairPerson = most.length - 1 > own.filter((place) => place.person === person).length;
    const [oldest] = most;
    if (!oldest || !(isFairNetwork || isFairPerson)) throw busy();
    giveBack(oldest);
  }

  function giveBack(place: Place): void {
    taken.delete(place);
    place.giveUp(busy());
  }

  /** Of those who share what one person may have, whoever has most gives back the one held for longest: for one who has two fewer. */
  function makeRoomAmong(own: readonly Place[], sharer: Person): void {
    const most = largestGroup(own, (place) => place.sharer);
    const [oldest] = most;
    if (!oldest || most.length - 1 <= own.filter((place) => place.sharer === sharer).length) {
      throw new AppError('too-many', `${perPerson} at a time: ${whatWaits}`, SOON);
    }
    giveBack(oldest);
  }

  return {
    enter(person, network, sharer = person) {
      const own = [...taken].filter((place) => place.person === person);
      if (own.length >= perPerson) makeRoomAmong(own, sharer);
      if (taken.size >= atOnce) makeRoom(person, network);
      const leave = () => void taken.delete(place);
      const place: Place = { person, sharer, network, giveUp: () => {}, leave };
      taken.add(place);
      return place;
    },
    has: (place) => taken.has(place),
  };
}
