// Runs every suite and closes with one line that sums them. In CI a skipped test is a failure.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

const vitestFile = join(reports, 'vitest.json');
const vitestOk = runSuite('vitest', [
  'run',
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${vitestFile}`,
]);
const playwrightOk = runSuite('playwright', ['test', '--reporter=list,json'], {
  PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json'),
});

const vitest = readReport('vitest.json');
const playwright = readReport('playwright.json')?.stats;
// A suite that wrote no report has not run, whatever its exit code says.
const unreported = [vitest, playwright].filter((report) => !report).length;

const passed = (vitest?.numPassedTests ?? 0) + (playwright?.expected ?? 0);
const failed =
  (vitest?.numFailedTests ?? 0) + (playwright?.unexpected ?? 0) + (playwright?.flaky ?? 0) + unreported;
const skipped = (vitest?.numPendingTests ?? 0) + (vitest?.numTodoTests ?? 0) + (playwright?.skipped ?? 0);

const skippedInCi = process.env.CI && skipped > 0;
if (skippedInCi) process.stdout.write('Some tests were skipped, which CI does not accept.\n');
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(vitestOk && playwrightOk && failed === 0 && !skippedInCi ? 0 : 1);
