// The simulation can fail: without any one rule of the switch, one of its promises is seen broken.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundleSimulation } from './bundle.ts';
import { mutants } from './mutants.ts';

const PATIENCE = 5 * 60_000;
/** How many lives a mutant has at most. */
const SEEDS = 6;
const SMALL = { authors: 12, scrolls: 60, days: 20, silences: 0.65, seed: 1 };

describe('without the rule that', () => {
  it.each(mutants)(
    '$rule, a promise is broken',
    async ({ file, find, replace, breaks, world }) => {
      const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
      expect(source.split(find).length - 1, `${file} has the rule once`).toBe(1);
      const bundle = await bundleSimulation({ file, find, replace });
      try {
        for (let seed = 1; seed <= SEEDS; seed += 1) {
          const { breach } = await bundle.simulate({ ...world, seed });
          if (!breach) continue;
          expect(breaks, `seed ${seed}, step ${breach.step}: ${breach.detail}`).toContain(breach.invariant);
          return;
        }
        expect.fail('it was not missed');
      } finally {
        bundle.remove();
      }
    },
    PATIENCE,
  );

  it(
    'is none, every promise is kept',
    async () => {
      const bundle = await bundleSimulation(null);
      // Each kind of world that a mutant has shown itself in, small: their size is the other simulation's.
      const worlds = mutants.map(({ world }) => JSON.stringify({ ...world, ...SMALL }));
      for (const world of new Set(worlds))
        expect((await bundle.simulate(JSON.parse(world))).breach).toBeNull();
      bundle.remove();
    },
    PATIENCE,
  );
});
