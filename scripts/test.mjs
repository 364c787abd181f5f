// Runs every suite, names what failed and what took longest, and closes with one line that sums them. Files that failed run
// once more, alone: what passes then is listed as unsteady. In CI a skipped test is a failure.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slowestFiles } from './slowest.mjs';
import { filesToRunAgain, outcomeOf } from './test-reports.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const reports = join(root, 'test-results', 'reports');
const bin = (name) => join(root, 'node_modules', '.bin', name);

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

function runSuite(command, args, env = {}) {
  const { status } = spawnSync(bin(command), args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  return status === 0;
}

function readReport(name) {
  const file = join(reports, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/**
 * Runs all files of vitest, or some; its report is in `${name}.json`.
 * @returns whether nothing failed, and whether nothing failed outside of tests
 */
function runVitest(name, files = []) {
  const unhandled = `${name}-unhandled.txt`;
  const isOk = runSuite(
    'vitest',
    [
      'run',
      ...files,
      '--reporter=dot',
      '--reporter=json',
      `--reporter=${join(root, 'scripts', 'stuck-files.mjs')}`,
      `--outputFile.json=${join(reports, `${name}.json`)}`,
    ],
    { LATEBRA_UNHANDLED: join(reports, unhandled) },
  );
  return { isOk, isCaught: readReport(unhandled) === 0 };
}

let vitestRun = runVitest('vitest');
const vitest = readReport('vitest.json');
const files = filesToRunAgain(vitest);
// An error outside of the tests is no test's that could pass alone.
if (files.length > 0 && vitestRun.isCaught) {
  process.stdout.write(`\nOnce more, alone: ${files.length} of the files.\n`);
  vitestRun = runVitest('vitest-again', files);
}
const playwrightOk = runSuite('playwright', ['test', '--reporter=list,json'], {
  PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json'),
});

const playwright = readReport('playwright.json');
const { passed, failed, skipped, failures, unsteady } = outcomeOf(root, {
  vitest,
  again: readReport('vitest-again.json'),
  playwright,
});

const slowest = slowestFiles(root, vitest, playwright).map(
  ({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}\n`,
);
process.stdout.write(`\nThe slowest files:\n${slowest.join('')}`);
for (const test of unsteady)
  process.stdout.write(`\nUnsteady, it passed only when it ran again, which is a defect: ${test}\n`);
for (const failure of failures) process.stdout.write(`\nFailed: ${failure}\n`);
const skippedInCi = process.env.CI && skipped > 0;
if (skippedInCi) process.stdout.write('Some tests were skipped, which CI does not accept.\n');
if (!vitestRun.isCaught)
  process.stdout.write('Something failed outside of the tests, which is told above.\n');
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
const vitestOk = vitestRun.isOk && vitestRun.isCaught;
process.exit(vitestOk && playwrightOk && failed === 0 && !skippedInCi ? 0 : 1);
