// What chance decides in a simulation of sisters, and how a recipient's page puts shares together.
import { combine } from 'shamir-secret-sharing';
import type { Random } from '../random.ts';
import type { Author } from './author.ts';

/** How many instances there are. */
export const INSTANCES = 5;

/** As many sisters as a letter can have here, of which no more are faulty than the letter bears. */
export function chosen(random: Random, home: number, isFaulty: ReadonlySet<number>) {
  for (;;) {
    const count = random.whole(2, INSTANCES - 1);
    const places = shuffled(random, INSTANCES)
      .filter((place) => place !== home)
      .slice(0, count);
    const most = count - places.filter((place) => isFaulty.has(place)).length;
    const fewest = Math.floor(count / 2) + 1;
    if (fewest <= most) return { places, needed: random.whole(fewest, most) };
  }
}

/** The numbers below `count` in any order. */
export function shuffled(random: Random, count: number): number[] {
  return Array.from({ length: count }, (_, i) => ({ i, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ i }) => i);
}

/** Whether any needed number of shares makes the letter's key: a recipient's page tries them all. */
export async function anyOpens({ needed, letterKey }: Author, shares: readonly string[]): Promise<boolean> {
  for (const some of subsets(shares, needed)) {
    const key = await combine(some.map((share) => new Uint8Array(Buffer.from(share, 'base64url')))).catch(
      () => null,
    );
    if (key && letterKey.equals(Buffer.from(key))) return true;
  }
  return false;
}

function* subsets<T>(list: readonly T[], size: number): Generator<T[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (const [i, first] of list.entries())
    for (const rest of subsets(list.slice(i + 1), size - 1)) yield [first, ...rest];
}
