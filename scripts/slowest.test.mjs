import { expect, it } from 'vitest';
import { slowestFiles } from './slowest.mjs';

const vitest = {
  testResults: [
    { name: '/house/src/a.test.ts', startTime: 1000, endTime: 3500 },
    { name: '/house/src/b.test.ts', startTime: 1000, endTime: 1500 },
  ],
};
const spec = (file, ...durations) => ({
  file,
  tests: [{ results: durations.map((duration) => ({ duration })) }],
});
const playwright = {
  suites: [
    { specs: [spec('c.spec.ts', 700)], suites: [{ specs: [spec('c.spec.ts', 300, 900)] }] },
    { specs: [spec('d.spec.ts', 100)] },
  ],
};

it('lists the files of both runners, the slowest first, each with all of its tests and tries', () => {
  expect(slowestFiles('/house', vitest, playwright)).toEqual([
    { file: 'src/a.test.ts', seconds: 2.5 },
    { file: 'e2e/c.spec.ts', seconds: 1.9 },
    { file: 'src/b.test.ts', seconds: 0.5 },
    { file: 'e2e/d.spec.ts', seconds: 0.1 },
  ]);
});

it('lists no more than was asked for, and does without a report', () => {
  expect(slowestFiles('/house', vitest, playwright, 1)).toHaveLength(1);
  expect(slowestFiles('/house', null, null)).toEqual([]);
});
