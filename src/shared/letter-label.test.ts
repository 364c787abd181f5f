import { expect, test } from 'vitest';
import { LABEL_MAX, labelProblem, normaliseLabel } from './letter-label.ts';

test.each([
  '',
  ' ',
  'For Anna',
  '2. For Anna (the house, the cat)',
  '1952',
  'für Žofie’s Geburtstag',
  '山田',
])('“%s” is taken', (label) => expect(labelProblem(label)).toBeNull());

test.each([
  ['a line break', 'For Anna\nSubject: a prize'],
  ['another line separator', 'For\u2028Anna'],
  ['a link', 'see https://evil.example'],
  ['a site', 'evil.example'],
  ['a mailbox', 'anna@mail.example'],
  ['a telephone number', 'Anna 0699 1234567'],
  ['markup', '<b>Anna</b>'],
  ['a quotation that ends the one around it', 'Anna” wrote “'],
  ['a reversed reading', 'Anna \u202egnp.exe'],
  ['too many characters', 'A'.repeat(LABEL_MAX + 1)],
])('%s is refused, in a sentence about a label', (_, label) =>
  expect(labelProblem(label)).toMatch(/^(A label|Put a space).*\.$/),
);

test('white space is made single', () => expect(normaliseLabel('  For \u00a0 Anna ')).toBe('For Anna'));
