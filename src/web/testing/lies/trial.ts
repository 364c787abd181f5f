// Telling the lies of one journey, and what became of each. Many are told at once where that loses nothing.
import { type Judgement, judge } from './judging.ts';
import type { Recording, Walker } from './machine.ts';
import { chanceOf, type Told } from './telling.ts';
import type { Inhabitant } from './world.ts';

export interface Outcome extends Judgement {
  told: Told;
}

const isBeneath = (path: string, other: string) =>
  path !== other && (other === '' || path.startsWith(`${other}.`) || path.startsWith(`${other}[`));

/** Puts lies into groups that are told in one answer: one for each place, and none within another. */
export function inBatches(lies: readonly Told[]): Told[][] {
  const batches: Told[][] = [];
  for (const told of lies) {
    const fits = (batch: Told[]) =>
      batch.every(
        ({ call, path }) =>
          call !== told.call ||
          (path !== told.path && !isBeneath(path, told.path) && !isBeneath(told.path, path)),
      );
    const batch = told.lie && batches.find((one) => one[0]?.lie && fits(one));
    if (batch) batch.push(told);
    else batches.push([told]);
  }
  return batches;
}

export interface Trial {
  /** Tells one lie and judges what came of it. */
  one(told: Told): Promise<Outcome>;
  /**
   * Tells lies that are expected to be harmless, many at once. Where the page is to the letter what it is with the truth,
   * none of them had an effect; where it is not, each is told alone.
   */
  harmless(lies: readonly Told[]): Promise<Outcome[]>;
}

export function trialOf(walker: Walker, recording: Recording, of: Inhabitant): Trial {
  const judged = async (lies: readonly Told[]) =>
    judge(
      recording.honest,
      await walker.replay(
        recording,
        of,
        lies.flatMap(({ tampering, tamperings }) => tamperings ?? [tampering]),
      ),
    );
  /** By call: what a client does with an answer that the contract refuses does not depend on what is wrong with it. */
  const malformed = new Map<string, Judgement>();

  async function one(told: Told): Promise<Outcome> {
    if (told.wellFormed) return { told, ...(await judged([told])) };
    const known = malformed.get(told.call) ?? (await judged([told]));
    malformed.set(told.call, known);
    return { told, ...known };
  }

  async function harmless(lies: readonly Told[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const batch of inBatches(lies)) {
      const all = await judged(batch);
      if (all.verdict === 'harmless' || batch.length === 1) {
        outcomes.push(...batch.map((told) => ({ told, ...all })));
        continue;
      }
      for (const told of batch) outcomes.push(await one(told));
    }
    return outcomes;
  }
  return { one, harmless };
}

/** How many kinds are tried at each place in the suite, the worst first; one more is drawn from the others. */
const IN_SUITE = 1;

/** The worst kind at each place, and one of the others that the place's own name draws. */
export function sampleOf(lies: readonly Told[]): Told[] {
  const places = new Map<string, Told[]>();
  for (const told of lies) {
    const key = `${told.call} ${told.path}`;
    places.set(key, [...(places.get(key) ?? []), told]);
  }
  return [...places].flatMap(([key, all]) => {
    const rest = all.slice(IN_SUITE);
    const drawn = rest[Math.floor(chanceOf(key) * rest.length)];
    return [...all.slice(0, IN_SUITE), ...(drawn ? [drawn] : [])];
  });
}
