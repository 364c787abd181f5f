// Which files of tests take longest, read from the reports of both runners: whoever shortens a run begins there.
import { relative } from 'node:path';

/**
 * Of the reports that vitest and Playwright write as JSON; either may be null, if its suite has not run.
 * @param {string} root the repository
 * @param {number} count how many files at most
 * @returns {{ file: string, seconds: number }[]} the slowest first. A file of Playwright took what its tests took, one
 *   after the other; one of vitest also what its hooks took
 */
export function slowestFiles(root, vitest, playwright, count = 10) {
  const took = new Map();
  const add = (file, milliseconds) => took.set(file, (took.get(file) ?? 0) + milliseconds);
  for (const { name, startTime, endTime } of vitest?.testResults ?? [])
    add(relative(root, name).replaceAll('\\', '/'), endTime - startTime);
  const visit = (suite) => {
    for (const inner of suite.suites ?? []) visit(inner);
    for (const { file, tests } of suite.specs ?? [])
      for (const { duration } of tests.flatMap(({ results }) => results)) add(`e2e/${file}`, duration);
  };
  if (playwright) visit(playwright);
  return [...took]
    .map(([file, milliseconds]) => ({ file, seconds: milliseconds / 1000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, count);
}
