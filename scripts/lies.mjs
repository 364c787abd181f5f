// Tells the web app every lie about every answer that its journeys use, and writes down what came of each
// (docs/decisions/0103): `npm run lies`. It takes some minutes. A higher number of believed lies is written with `--more`
// alone, for a field or a journey that is new; `--only` takes a pattern for the names of the journeys in which lies are told.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { more: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const record = join(root, 'src/web/testing/lies/verdicts.json');
const found = join(root, `node_modules/.cache/lies-${process.pid}.json`);
const reasons = join(root, 'test-results/lies.txt');
mkdirSync(join(root, 'test-results'), { recursive: true });
rmSync(reasons, { force: true });

const { status } = spawnSync(
  join(root, 'node_modules/.bin/vitest'),
  [
    ...['run', '--project', 'web', 'src/web/testing/lies/lies.test.tsx'],
    // Every journey is walked with the truth, whatever is told: each finds what those before it have written.
    ...(values.only ? ['-t', `is walked with the truth|(${values.only}) is told|what came of the lies`] : []),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    // Some thousand pages, of which each leaves something behind.
    env: {
      ...process.env,
      NODE_OPTIONS: '--max-old-space-size=8192',
      LATEBRA_LIES: found,
      LATEBRA_LIES_REASONS: reasons,
    },
    shell: process.platform === 'win32',
  },
);
if (status !== 0) process.exit(1);

const believedIn = (file) => JSON.parse(readFileSync(file, 'utf8')).believed;
const [before, now] = [believedIn(record), believedIn(found)];
console.log(`${now} lies are believed; ${before} were. Why each was judged as it was: test-results/lies.txt`);
if (now > before && !values.more) {
  console.log('More than before: nothing is written. With --more it is, for what is new.');
  process.exitCode = 1;
} else {
  writeFileSync(record, readFileSync(found));
  console.log('Now run "npm run docs".');
}
rmSync(found);
