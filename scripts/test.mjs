// Runs every suite, names what failed and what took longest, and closes with one line that sums them. In CI a skipped test
// is a failure.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { slowestFiles } from './slowest.mjs';

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

/** The failed tests of both reports, each with the first lines of what it said. */
function failures(vitest, playwright) {
  const found = [];
  for (const file of vitest?.testResults ?? []) {
    const tests = file.assertionResults.filter((test) => test.status === 'failed');
    for (const test of tests)
      found.push([`${relative(root, file.name)} › ${test.fullName}`, test.failureMessages[0]]);
    if (file.status === 'failed' && tests.length === 0) found.push([relative(root, file.name), file.message]);
  }
  const visit = (suite) => {
    for (const inner of suite.suites ?? []) visit(inner);
    for (const { ok, title, file, tests } of suite.specs ?? [])
      if (!ok)
        found.push([
          `${file} › ${title}`,
          tests.flatMap((test) => test.results).find((result) => result.error)?.error.message,
        ]);
  };
  if (playwright) visit(playwright);
  return found.map(
    ([name, said = '']) =>
      `${name}\n${stripVTControlCharacters(said).trim().split('\n').slice(0, 12).join('\n')}`,
  );
}

const vitestFile = join(reports, 'vitest.json');
const vitestOk = runSuite('vitest', [
  'run',
  '--reporter=dot',
  '--reporter=json',
  `--reporter=${join(root, 'scripts', 'stuck-files.mjs')}`,
  `--outputFile.json=${vitestFile}`,
]);
const playwrightOk = runSuite('playwright', ['test', '--reporter=list,json'], {
  PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json'),
});

const vitest = readReport('vitest.json');
const browser = readReport('playwright.json');
const playwright = browser?.stats;
// A suite that wrote no report has not run, whatever its exit code says.
const unreported = [vitest, playwright].filter((report) => !report).length;

const passed = (vitest?.numPassedTests ?? 0) + (playwright?.expected ?? 0);
const failed =
  (vitest?.numFailedTests ?? 0) + (playwright?.unexpected ?? 0) + (playwright?.flaky ?? 0) + unreported;
const skipped = (vitest?.numPendingTests ?? 0) + (vitest?.numTodoTests ?? 0) + (playwright?.skipped ?? 0);

const slowest = slowestFiles(root, vitest, browser).map(
  ({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}\n`,
);
process.stdout.write(`\nThe slowest files:\n${slowest.join('')}`);
for (const failure of failures(vitest, browser)) process.stdout.write(`\nFailed: ${failure}\n`);
const skippedInCi = process.env.CI && skipped > 0;
if (skippedInCi) process.stdout.write('Some tests were skipped, which CI does not accept.\n');
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(vitestOk && playwrightOk && failed === 0 && !skippedInCi ? 0 : 1);
