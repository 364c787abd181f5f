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

test('an archive that says of itself that something was wrong claims nothing, and excuses no slot of a storage', () => {
  const honest = ran([page('Saved')], [], ['README.md: 2 memories', 'memories/The orchard.md: Ladders.']);
  const lied = ['README.md: 2 memories', 'memories/The orchard.md: Ropes.'];
  const said =
    'README.md: Something was wrong when this was made: something. These files have what was shown.';
  expect(verdict(honest, { ...honest, kept: lied })).toBe('believed');
  expect(verdict(honest, { ...honest, kept: [...lied, said] })).toBe('noticed');
  expect(verdict(honest, { ...honest, kept: [...lied, said, 'latebra.book-pin:1 = {}'] })).toBe('believed');
});

test('a page that says that it waits, and shows nothing else, has refused what did not come', () => {
  const waiting = 'Fetching and opening your memories';
  expect(verdict(honest, ran([[{ says: waiting, alert: waiting }]], []))).toBe('refused');
  expect(verdict(honest, ran([[{ says: waiting, alert: waiting }, ...page('The harbour')]], []))).toBe(
    'believed',
  );
});

test('what could not be finished may be taken back, and nothing else', () => {
  const making = ran([page('Made')], ['POST /api/keys {}', 'PUT /api/keys/5/seal {}']);
  const refused = [{ says: 'Failed to Create', alert: 'Failed to Create' }];
  const takes = (call: string, stage = refused) => ran([stage], ['POST /api/keys {}', call]);
  expect(verdict(making, takes('DELETE /api/keys/5'))).toBe('refused');
  expect(verdict(making, takes('DELETE /api/keys/6'))).toBe('believed');
  const booked = ran([page('Made')], ['PUT /api/keys/5/seal with entry 3.a']);
  const triesAgain = (call: string) => ran([refused], ['PUT /api/keys/5/seal with entry 3.a', call]);
  expect(verdict(booked, triesAgain('PUT /api/keys/5/seal with entry 4.b'))).toBe('refused');
  expect(verdict(booked, triesAgain('PUT /api/keys/6/seal with entry 4.b'))).toBe('believed');
  expect(verdict(making, ran([page('Another')], ['DELETE /api/keys/5']))).toBe('believed');
});

test('what stands in the row of an entry that is said to be changed is noticed, and in no other row', () => {
  const row = '1 of 2 readings This entry was changed on the server.';
  const changed = [
    { says: '1 of 2 readings', alert: row },
    { says: 'This entry was changed on the server.', alert: row },
  ];
  const told = ran([page('1 of 3 readings')]);
  expect(verdict(told, ran([changed]))).toBe('noticed');
  expect(verdict(told, ran([[...changed, ...page('The harbour')]]))).toBe('believed');
});

test('a paragraph that has lost a sentence says nothing new', () => {
  const whole = ran([page('Keep two of these. You have sealed 9 entries already.', '9')]);
  const failed = { says: 'This could not be fetched', alert: 'This could not be fetched' };
  expect(verdict(whole, ran([[...page('Keep two of these.'), failed]]))).toBe('refused');
  expect(verdict(whole, ran([page('Keep two of these.', '9')]))).toBe('believed');
  expect(
    verdict(whole, ran([[...page('Keep two of these. You have sealed 8 entries already.'), failed]])),
  ).toBe('believed');
});

test('of a text that stands in several rows, the one in a row that is said to be wrong is the one too many', () => {
  const row = 'When you release it. The server now says: your hand.';
  const told = ran([page('After 60 days', 'When you release it')]);
  const wrong = { says: 'When you release it', alert: row };
  expect(verdict(told, ran([[wrong, ...page('When you release it')]]))).toBe('noticed');
  expect(verdict(told, ran([page('When you release it', 'When you release it')]))).toBe('believed');
});
