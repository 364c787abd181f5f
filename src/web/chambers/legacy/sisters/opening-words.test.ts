// What a letter's recipient is told while not enough of those that keep it have let it out.
import { expect, test } from 'vitest';
import { goneWords, missingLead } from './opening-words.ts';

const [ONE, TWO] = ['https://one.example', 'https://two.example'];
const missing = { at: 'missing', needed: 2, missing: 1, away: [], watching: [], gone: [] } as const;

test.each([
  ['wait', { watching: [TWO] }],
  ['are away', { away: [TWO] }],
])('where others %s, it is worth coming again', (_, others) => {
  expect(missingLead({ ...missing, away: [], watching: [], gone: [], ...others })).toContain('come again');
});

test('where too few have it, nobody is asked to come again by the same link', () => {
  const says = missingLead({ ...missing, missing: 2, away: [ONE], watching: [], gone: [TWO] });
  expect(says).not.toContain('come again');
  expect(says).toContain('Another message');
  expect(goneWords([TWO])).toBe('two.example does not have it, or not by this link.');
  expect(goneWords([ONE, TWO])).toContain('one.example, two.example');
});
