import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import StuckFiles from './stuck-files.mjs';

const MINUTE = 60_000;
const file = { moduleId: `${process.cwd()}/src/quiet.test.ts` };
const other = { moduleId: `${process.cwd()}/src/busy.test.ts` };
let end;
let said;

beforeEach(() => {
  vi.useFakeTimers();
  end = vi.fn();
  said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function aRun() {
  const reporter = new StuckFiles({ end });
  reporter.onInit();
  reporter.onTestModuleStart(file);
  reporter.onTestModuleStart(other);
  return reporter;
}

it('ends a run in which a file says nothing any more, and names it', () => {
  const reporter = aRun();
  for (let minute = 0; minute < 14; minute += 1) {
    vi.advanceTimersByTime(MINUTE);
    reporter.onTestCaseResult({ module: other });
  }
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(3 * MINUTE);
  expect(end).toHaveBeenCalled();
  const words = said.mock.calls.flat().join('');
  expect(words).toContain('src/quiet.test.ts');
  expect(words).not.toContain('src/busy.test.ts');
});

it('waits for files whose tests come to an end, and for none that has ended', () => {
  const reporter = aRun();
  reporter.onTestModuleEnd(other);
  for (let minute = 0; minute < 60; minute += 1) {
    vi.advanceTimersByTime(MINUTE);
    if (minute % 10 === 0) reporter.onTestCaseReady({ module: file });
  }
  reporter.onTestModuleEnd(file);
  vi.advanceTimersByTime(60 * MINUTE);
  expect(end).not.toHaveBeenCalled();
});
