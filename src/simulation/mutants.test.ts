// The simulation can fail: without any one rule of the switch, one of its promises is seen broken.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleSimulation, type SimulationBundle } from './bundle.ts';
import { mutants, uptimeMutants } from './mutants.ts';

const PATIENCE = 5 * 60_000;
/** How many lives a mutant has at most. Some show in one of seven, and every change of the product gives them other lives. */
const SEEDS = 24;
/** Restores and the end of a pause take longer. */
const LONG = { restores: 0, unanswered: 0, resume: 'after-long' } as const;
const SMALL = { authors: 12, scrolls: 60, days: 20, silences: 0.65, seed: 1, ...LONG };

/** The same for the same world, however it was put together. */
const inOrder = (world: object) =>
  JSON.stringify(Object.entries(world).sort(([one], [other]) => (one < other ? -1 : 1)));

let bundle: SimulationBundle;
beforeAll(async () => {
  bundle = await bundleSimulation([...mutants, ...uptimeMutants]);
}, PATIENCE);
afterAll(() => bundle.remove());

describe('without the rule that', () => {
  it.each(mutants)(
    '$rule, a promise is broken',
    async ({ rule, breaks, world, seed: last }) => {
      const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);
      for (const seed of last === undefined ? seeds : [last, ...seeds]) {
        const { breach } = await bundle.simulateWithout(rule, { ...world, seed });
        if (!breach) continue;
        expect(breaks, `seed ${seed}, step ${breach.step}: ${breach.detail}`).toContain(breach.invariant);
        return;
      }
      expect.fail('it was not missed');
    },
    PATIENCE,
  );

  it.each(uptimeMutants)(
    '$rule, the table of uptime patterns promises too much',
    async ({ rule, machine, by }) => {
      expect(await bundle.daysToReleaseWithout(rule, machine, by + 1)).toBeNull();
    },
    PATIENCE,
  );

  it(
    'is none, every promise is kept',
    async () => {
      // Each kind of world that a mutant has shown itself in, small: their size is the other simulation's.
      const worlds = new Map(
        mutants.map(({ world }) => [inOrder({ ...world, ...SMALL }), { ...world, ...SMALL }]),
      );
      for (const world of worlds.values()) {
        expect((await bundle.simulateWithout(null, world)).breach).toBeNull();
      }
    },
    PATIENCE,
  );
});
