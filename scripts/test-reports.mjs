// What the reports of both runners say together: how many passed, what failed, and what passed only when it ran again. A test
// of the last kind is a defect as well (CONTRIBUTING.md), but none of the change that is tested.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** With more files than these something is broken, and running them again would only take time. */
const FILES_AGAIN_MAX = 5;

const failedTests = ({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed');

/** The files of a report of vitest that should run again: paths, and none where there are too many. */
export function filesToRunAgain(vitest) {
  const failed = (vitest?.testResults ?? []).filter(({ status }) => status === 'failed');
  return failed.length > FILES_AGAIN_MAX ? [] : failed.map(({ name }) => name);
}

/** The tests of a file that failed, by name with what was said; one without a name for a file that failed as a whole. */
function failuresOf(file) {
  const tests = failedTests(file);
  if (file.status === 'failed' && tests.length === 0) return [['', file.message]];
  return tests.map(({ fullName, failureMessages }) => [fullName, failureMessages[0]]);
}

/** Whether a test that failed, or a file that did, has run once more and passed. */
function passedAgain(second, name) {
  if (second?.status !== 'passed') return false;
  const tests = second.assertionResults.filter(({ fullName }) => name === '' || fullName === name);
  return tests.length > 0 && tests.every(({ status }) => status === 'passed');
}

function vitestOutcome(root, first, again) {
  const unsteady = [];
  const failed = [];
  const secondTry = new Map((again?.testResults ?? []).map((file) => [file.name, file]));
  for (const file of first?.testResults ?? []) {
    for (const [name, said] of failuresOf(file)) {
      const isMended = passedAgain(secondTry.get(file.name), name);
      (isMended ? unsteady : failed).push([`${relative(root, file.name)}${name && ` › ${name}`}`, said]);
    }
  }
  return { unsteady, failed };
}

/** Tests of a report that did not run: not those of files that ran once more, of which the second report tells. */
function skippedTests(vitest, again) {
  const ranAgain = new Set((again?.testResults ?? []).map(({ name }) => name));
  const files = [
    ...(vitest?.testResults ?? []).filter(({ name }) => !ranAgain.has(name)),
    ...(again?.testResults ?? []),
  ];
  return files
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed').length;
}

function playwrightOutcome(report) {
  const unsteady = [];
  const failed = [];
  const visit = (suite) => {
    for (const inner of suite.suites ?? []) visit(inner);
    for (const { title, file, tests } of suite.specs ?? [])
      for (const { status, results } of tests) {
        const said = results.find((result) => result.error)?.error.message;
        if (status === 'flaky') unsteady.push([`${file} › ${title}`, said]);
        if (status === 'unexpected') failed.push([`${file} › ${title}`, said]);
      }
  };
  if (report) visit(report);
  return { unsteady, failed };
}

const inLines = ([name, said = '']) =>
  `${name}\n${stripVTControlCharacters(said).trim().split('\n').slice(0, 12).join('\n')}`;

/**
 * @param {string} root the repository
 * @param {{ vitest: object | null, again: object | null, playwright: object | null }} reports as the runners write them in
 *   JSON; `again` is of the files that vitest ran a second time. A suite without a report has not run, which is a failure
 * @returns {{ passed: number, failed: number, skipped: number, failures: string[], unsteady: string[] }} `unsteady` are among
 *   what passed
 */
export function outcomeOf(root, { vitest, again, playwright }) {
  const ofVitest = vitestOutcome(root, vitest, again);
  const ofPlaywright = playwrightOutcome(playwright);
  const unreported = [vitest, playwright].filter((report) => !report).length;
  const stats = playwright?.stats;
  return {
    passed:
      (vitest?.numPassedTests ?? 0) + ofVitest.unsteady.length + (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: ofVitest.failed.length + (stats?.unexpected ?? 0) + unreported,
    skipped: skippedTests(vitest, again) + (stats?.skipped ?? 0),
    failures: [...ofVitest.failed, ...ofPlaywright.failed].map(inLines),
    unsteady: [...ofVitest.unsteady, ...ofPlaywright.unsteady].map(inLines),
  };
}
