// How two runs are compared, by pages of a few words.
import { expect, test } from 'vitest';
import { judge } from './judging.ts';
import type { Observation, Piece } from './observing.ts';

const MISSING = 'This server does not show 1 entry that your vault’s book has.';

const page = (...texts: string[]): Piece[] => texts.map((says) => ({ says, alert: null }));
const ran = (
  stages: Piece[][],
  sent: string[] = [],
  kept: string[] = [],
  keptMeanwhile: string[] = [],
): Observation => ({ stages, sent, kept, keptMeanwhile });
const verdict = (honest: Observation, lied: Observation) => judge(honest, lied).verdict;

const honest = ran([page('The orchard', 'The ferry'), page('Ladders.')], ['PATCH /api/a {"v":2}']);

test('what is the same to the letter is harmless, and so is reading more', () => {
  expect(verdict(honest, honest)).toBe('harmless');
  expect(verdict(honest, { ...honest, sent: ['GET /api/b', ...honest.sent] })).toBe('harmless');
});

test('an entry that is gone is noticed where the book says so, and believed where nothing does', () => {
  const [, second] = honest.stages;
  const gone = (...more: string[]) => ran([page('The orchard', ...more), second ?? []], honest.sent);
  expect(verdict(honest, gone())).toBe('believed');
  expect(verdict(honest, gone(MISSING, 'See what', 'href: /book'))).toBe('noticed');
  expect(judge(honest, gone(MISSING)).because).toEqual([MISSING]);
});

test('a finding of the book is about the page on which it stands, and about no other step', () => {
  const changed = page('The harbour', 'The ferry');
  const [, second] = honest.stages;
  const late = ran([changed, [...(second ?? []), ...page(MISSING)]], honest.sent);
  expect(judge(honest, late)).toEqual({ verdict: 'believed', because: ['shows The harbour'] });
  const inTime = ran(
    [
      [...changed, ...page(MISSING)],
      [...(second ?? []), ...page(MISSING)],
    ],
    honest.sent,
  );
  expect(verdict(honest, inTime)).toBe('noticed');
});

test('a finding of the book excuses nothing that is sent, kept or saved', () => {
  const stages = [page('The ferry', MISSING), page('Ladders.', MISSING)];
  expect(verdict(honest, ran(stages, ['PATCH /api/a {"v":3}']))).toBe('believed');
  expect(verdict(honest, ran(stages, honest.sent, ['latebra.book-pin:1 = {}']))).toBe('believed');
  expect(verdict(honest, ran(stages, []))).toBe('noticed');
});

test('what stood in the browser before a change is there when the change is refused', () => {
  const [before, after] = ['latebra.book-pin:1 = {"n":3}', 'latebra.book-pin:1 = {"n":4}'];
  const written = ran([page('Kept')], ['POST /api/a'], [after], [before, after]);
  const refused = [{ says: 'Failed to Seal', alert: 'Failed to Seal' }];
  expect(verdict(written, ran([refused], ['POST /api/a'], [before]))).toBe('refused');
  expect(verdict(written, ran([refused], ['POST /api/a'], ['latebra.book-pin:1 = {"n":2}']))).toBe(
    'believed',
  );
});

test('that a finding is noted in the account is nothing that the lie has done', () => {
  const report = 'POST /api/book/findings {"kind":"other-rows"}';
  const found = ran([page('The ferry', MISSING), page('Ladders.', MISSING)], [report, ...honest.sent]);
  expect(verdict(honest, found)).toBe('noticed');
  expect(verdict(honest, { ...honest, sent: [report, ...honest.sent] })).toBe('harmless');
});

test('a finding that stands there with the truth as well says nothing of the lie', () => {
  const told = ran([page('The orchard', MISSING)]);
  expect(verdict(told, ran([page('The harbour', MISSING)]))).toBe('believed');
});
