// Sisters through months in which some of them are dead, early, late or lying: nobody is written to early, no letter is lost, and
// nobody who has it is written to. `npm run simulate:sisters` lives through three thousand letters. Without any one of the
// rules it is seen that something is wrong.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleSimulation, type SimulationBundle } from './bundle.ts';
import { realKeys } from './sisters/keys.ts';
import { sisterMutants } from './sisters/mutants.ts';
import { simulateSisters } from './sisters/simulate-sisters.ts';

const PATIENCE = 5 * 60_000;
const SEEDS = [1, 2, 3, 4, 5, 6];

it.each([0, 2])(
  'with %i of five that are not as they should be, no letter is early, lost or doubled',
  async (faulty) => {
    const report = await simulateSisters({ seed: 11 + faulty, letters: 12, faulty });
    expect(report.breach).toBeNull();
    expect(Math.min(report.orphaned, report.mails, report.openings, report.signs)).toBeGreaterThan(0);
  },
  PATIENCE,
);

it(
  'the same holds with the keys of the product',
  async () => {
    const report = await simulateSisters({ seed: 4, letters: 2, faulty: 2, keys: realKeys });
    expect(report.breach).toBeNull();
    expect(report.signs).toBeGreaterThan(0);
  },
  PATIENCE,
);

describe('without the rule that', () => {
  let bundle: SimulationBundle;
  beforeAll(async () => {
    bundle = await bundleSimulation(sisterMutants);
  }, PATIENCE);
  afterAll(() => bundle.remove());

  it.each(sisterMutants)(
    '$rule, a promise is broken',
    async ({ rule, breaks, seed: last, letters = 12 }) => {
      for (const seed of last === undefined ? SEEDS : [last, ...SEEDS]) {
        const { breach } = await bundle.sistersWithout(rule, { seed, letters, faulty: 2 });
        if (!breach) continue;
        expect(breaks, breach.detail).toContain(breach.promise);
        return;
      }
      expect.fail('it was not missed');
    },
    PATIENCE,
  );
});
