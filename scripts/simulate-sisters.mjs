// Lives through months with instances that keep letters for each other, some of them dead, late, early or lying, and says
// what happened: `npm run simulate:sisters -- --letters 3000 --seed 7`. It ends with 1 when a promise was broken.
import { parseArgs } from 'node:util';
import { runBundled } from './run-bundled.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    letters: { type: 'string', default: '3000' },
    world: { type: 'string', default: '100' },
    real: { type: 'boolean', default: false },
  },
});

const { simulateSisters } = await runBundled('src/simulation/sisters/simulate-sisters.ts');
const { realKeys } = await runBundled('src/simulation/sisters/keys.ts');
const [letters, each] = [Number(values.letters), Number(values.world)];
let failed = false;
for (let i = 0; i * each < letters && !failed; i += 1) {
  const seed = Number(values.seed) + i;
  const faulty = [2, 2, 1, 2, 0][i % 5];
  const began = Date.now();
  const report = await simulateSisters({
    seed,
    letters: Math.min(each, letters - i * each),
    faulty,
    ...(values.real && { keys: realKeys }),
  });
  console.log(JSON.stringify({ seed, faulty, ...report, seconds: Math.round((Date.now() - began) / 1000) }));
  failed = report.breach !== null;
}
process.exitCode = failed ? 1 : 0;
