import { expect, it } from 'vitest';
import { filesToRunAgain, outcomeOf } from './test-reports.mjs';

const test = (fullName, status = 'passed') => ({
  fullName,
  status,
  failureMessages: status === 'failed' ? [`${fullName} said no`] : [],
});
const file = (name, ...assertionResults) => ({
  name: `/house/${name}`,
  status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  message: '',
  assertionResults,
});
const vitest = (...testResults) => ({
  testResults,
  numPassedTests: testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed').length,
});
const spec = (title, status) => ({
  title,
  file: 'c.spec.ts',
  tests: [{ status, results: [status === 'expected' ? {} : { error: { message: 'no such button' } }] }],
});
const playwright = (stats, ...specs) => ({
  suites: [{ specs }],
  stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
});
const quiet = playwright({ expected: 1 }, spec('it opens', 'expected'));

it('adds up what both runners say', () => {
  const first = vitest(
    file('a.test.ts', test('one'), test('two', 'failed')),
    file('b.test.ts', test('three')),
  );
  const browser = playwright({ expected: 3, unexpected: 1, skipped: 2 }, spec('it shuts', 'unexpected'));
  expect(outcomeOf('/house', { vitest: first, again: null, playwright: browser })).toEqual({
    passed: 5,
    failed: 2,
    skipped: 2,
    failures: ['a.test.ts › two\ntwo said no', 'c.spec.ts › it shuts\nno such button'],
    unsteady: [],
  });
});

it('names what passed only when it ran again, and counts as failed what failed twice', () => {
  const first = vitest(
    file('a.test.ts', test('one', 'failed'), test('two', 'failed')),
    file('b.test.ts', test('three', 'failed')),
  );
  const again = vitest(
    file('a.test.ts', test('one'), test('two')),
    file('b.test.ts', test('three', 'failed')),
  );
  const browser = playwright({ flaky: 1 }, spec('it opens', 'flaky'));
  expect(outcomeOf('/house', { vitest: first, again, playwright: browser })).toEqual({
    passed: 3,
    failed: 1,
    skipped: 0,
    failures: ['b.test.ts › three\nthree said no'],
    unsteady: [
      'a.test.ts › one\none said no',
      'a.test.ts › two\ntwo said no',
      'c.spec.ts › it opens\nno such button',
    ],
  });
});

it('believes no second try in which another test of the file failed', () => {
  const first = vitest(file('a.test.ts', test('one', 'failed'), test('two')));
  const again = vitest(file('a.test.ts', test('one'), test('two', 'failed')));
  expect(outcomeOf('/house', { vitest: first, again, playwright: quiet })).toMatchObject({
    failed: 1,
    unsteady: [],
  });
});

it('believes no second try in which the test did not run', () => {
  const first = vitest(file('a.test.ts', test('one', 'failed'), test('two')));
  for (const again of [
    vitest(file('a.test.ts', test('one', 'pending'), test('two'))),
    vitest(file('a.test.ts', test('two'))),
  ])
    expect(outcomeOf('/house', { vitest: first, again, playwright: quiet })).toMatchObject({
      failed: 1,
      unsteady: [],
    });
});

it('counts what was skipped, in the second report of files that ran once more', () => {
  const first = vitest(
    file('a.test.ts', test('one', 'failed'), test('two', 'pending')),
    file('b.test.ts', test('three', 'todo')),
  );
  const again = vitest(file('a.test.ts', test('one'), test('two')));
  expect(outcomeOf('/house', { vitest: first, again: null, playwright: quiet }).skipped).toBe(2);
  expect(outcomeOf('/house', { vitest: first, again, playwright: quiet })).toMatchObject({
    failed: 0,
    skipped: 1,
  });
});

it('counts a file that failed as a whole, and a suite that wrote no report', () => {
  const broken = { ...file('a.test.ts'), status: 'failed', message: 'cannot be read' };
  expect(outcomeOf('/house', { vitest: vitest(broken), again: null, playwright: null })).toMatchObject({
    failed: 2,
    failures: ['a.test.ts\ncannot be read'],
  });
  expect(outcomeOf('/house', { vitest: null, again: null, playwright: null }).failed).toBe(2);
});

it('runs few files again, and none where much is broken', () => {
  const failing = (name) => file(name, test('one', 'failed'));
  expect(filesToRunAgain(vitest(failing('a'), file('b', test('two')), failing('c')))).toEqual([
    '/house/a',
    '/house/c',
  ]);
  expect(filesToRunAgain(vitest(...'abcdef'.split('').map(failing)))).toEqual([]);
  expect(filesToRunAgain(null)).toEqual([]);
});
