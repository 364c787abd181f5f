import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import type { RowFound } from '../../../vault/book/book-state.ts';
import { formatMoment } from '../../ui/moments.ts';
import {
  acceptanceWords,
  chainWords,
  countedKind,
  formatSince,
  gapWords,
  lastWrittenWords,
  newBookWords,
  noticeWords,
  rowFindingWords,
} from './finding-words.ts';

const AT = Date.parse('2030-05-03T08:05:00.000Z');
/** In the time zone of whoever looks. */
const WHEN = formatMoment(AT);
const origin = { at: AT, device: 'Firefox on Linux' };
const row = (what: RowFound['what'], kind: string, shownAs: string | null = kind) => ({
  what,
  kind,
  shown: shownAs === null ? null : { sealId: '', kind: shownAs, leaf: '', ends: [], isWithheld: false },
});
const pin = (n: number) => ({ n, hash: '' });

test.each([
  [
    row('missing', 'memory', null),
    null,
    `A memory that was written on ${WHEN}, on Firefox on Linux is missing.`,
  ],
  [
    row('missing', 'memory', null),
    'The orchard',
    `“The orchard”, a memory that was written on ${WHEN}, on Firefox on Linux, is missing.`,
  ],
  [
    row('missing', 'onboarding', null),
    null,
    `Your three answers that were written on ${WHEN}, on Firefox on Linux are missing.`,
  ],
  [
    row('missing', 'deleted/myth', null),
    null,
    `A myth that was written on ${WHEN}, on Firefox on Linux is missing.`,
  ],
  [
    row('missing', 'from-tomorrow', null),
    null,
    `An entry that was written on ${WHEN}, on Firefox on Linux is missing.`,
  ],
  [
    row('changed', 'sacred-key'),
    null,
    `A one-time link is not shown as it was written on ${WHEN}, on Firefox on Linux.`,
  ],
  [
    row('changed', 'onboarding'),
    null,
    `Your three answers are not shown as they were written on ${WHEN}, on Firefox on Linux.`,
  ],
  [
    row('changed', 'memory', 'deleted/memory'),
    null,
    `A memory that was written on ${WHEN}, on Firefox on Linux is shown as deleted.`,
  ],
  [
    row('returned', 'memory'),
    null,
    `A memory that was deleted on ${WHEN}, on Firefox on Linux is shown again.`,
  ],
  [row('unknown', 'webhook'), null, 'A webhook is not in your book.'],
] as const)('%j is said in a sentence', (found, name, words) => {
  expect(rowFindingWords(found, origin, name)).toBe(words);
});

test('what nobody remembers is not dated, and what was summed up is dated before that', () => {
  expect(rowFindingWords(row('missing', 'memory', null), null)).toBe('A memory is missing.');
  expect(rowFindingWords(row('changed', 'memory'), null)).toBe('A memory is not shown as it was written.');
  expect(rowFindingWords(row('missing', 'memory', null), { ...origin, isSummary: true })).toBe(
    `A memory that was written before ${WHEN} is missing.`,
  );
});

test.each([
  [
    { kind: 'went-back', seen: pin(812), shown: 790 },
    'This server went back from change 812 to 790: 22 changes are missing.',
  ],
  [
    { kind: 'went-back', seen: pin(2), shown: 1 },
    'This server went back from change 2 to 1: 1 change is missing.',
  ],
  [
    { kind: 'went-back', seen: pin(1_812), shown: 0 },
    'This server shows no change of your vault any more: 1,812 changes are missing.',
  ],
  [{ kind: 'forked', n: 812 }, 'What this server shows as change 812 is not what this browser has seen.'],
  [{ kind: 'unreadable', n: 790 }, 'Change 790 does not open with your key, or is missing.'],
  [{ kind: 'broken', n: 790 }, 'Change 790 does not follow the change before it.'],
  [{ kind: 'wrong-root', n: 790 }, 'Change 790 does not lead to the entries that it says.'],
] as const)('%j is said in a sentence', (finding, words) => {
  expect(chainWords(finding)).toBe(words);
});

test('what was accepted is said with who and when', () => {
  const accepted = (n: number, lost: number) => acceptanceWords({ ...origin, n, lost: pin(lost) });
  expect(accepted(791, 812)).toBe(
    `On ${WHEN}, Firefox on Linux accepted that the server lost changes 791 to 812.`,
  );
  expect(accepted(812, 812)).toContain('lost change 812.');
  expect(accepted(820, 812)).toBe(
    `On ${WHEN}, Firefox on Linux accepted another history than the one that it had seen, which ended with change 812.`,
  );
});

test('the line on every page names the book before the rows, and what is not in the book yet not at all', () => {
  const found = (...rows: RowFound['what'][]) =>
    noticeWords({ chain: null, rows: rows.map((what) => ({ ...row(what, 'memory'), sealId: '' })) });
  expect(found()).toBeNull();
  expect(found('unknown')).toBeNull();
  expect(found('missing', 'unknown')).toBe('This server does not show 1 entry that your vault’s book has.');
  expect(found('missing', 'missing')).toContain('2 entries');
  expect(found('missing', 'returned')).toBe(
    'This server shows something that your vault’s book does not have.',
  );
  const lines = (
    [
      { kind: 'went-back', seen: pin(2), shown: 1 },
      { kind: 'forked', n: 1 },
      { kind: 'broken', n: 1 },
    ] as const
  ).map((chain) => noticeWords({ chain, rows: [] }));
  expect(new Set(lines).size).toBe(3);
});

test('what could not be compared is told before what could not be written', () => {
  const none = { isSignedOut: false, isWithheld: false, unwritten: 0 };
  expect(gapWords(none)).toBeNull();
  expect(gapWords({ ...none, isSignedOut: true, unwritten: 3 })).toContain('your session has ended');
  expect(gapWords({ ...none, isWithheld: true, unwritten: 3 })).toContain('did not show your vault’s book');
  expect(gapWords({ ...none, unwritten: 1 })).toMatch(/^1 change of yours is not in/);
  expect(gapWords({ ...none, unwritten: 2 })).toMatch(/^2 changes of yours are not in/);
});

test('a time is told as how long ago it was for two days, and then as a date', () => {
  const since = (ago: number) => formatSince(AT, AT + ago);
  expect(since(0)).toBe('just now');
  expect(since(MINUTE)).toBe('1 minute ago');
  expect(since(3 * MINUTE + 59_000)).toBe('3 minutes ago');
  expect(since(HOUR)).toBe('1 hour ago');
  expect(since(47 * HOUR)).toBe('47 hours ago');
  expect(since(2 * DAY)).toBe(`on ${WHEN}`);
  // By the clock of another device.
  expect(since(-HOUR)).toBe(`on ${WHEN}`);
  expect(lastWrittenWords({ ...origin, n: 812 }, AT + 3 * MINUTE)).toBe(
    'It was last written 3 minutes ago on Firefox on Linux (change 812).',
  );
});

test('kinds are counted by their names', () => {
  expect([countedKind(1, 'memory'), countedKind(2, 'relationship'), countedKind(3, 'constructor')]).toEqual([
    '1 memory',
    '2 moments',
    '3 entries',
  ]);
});

describe('why a browser asks whether its book is the newest', () => {
  test.each([
    [false, /sees your vault’s book for the first time/],
    [true, /nothing that leads from one to the other is left/],
  ])('is said: cut off %s', (isCutOff, words) => {
    expect(newBookWords({ isCutOff })).toMatch(words);
  });
});
