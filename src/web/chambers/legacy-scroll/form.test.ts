import { expect, test } from 'vitest';
import {
  blankForm,
  blankRecipient,
  formProblems,
  problemAtField,
  type RecipientForm,
  type ScrollForm,
  withoutRecipient,
  withRecipient,
  withTrigger,
} from './form.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
const whole: ScrollForm = {
  title: 'For later',
  content: 'The key is under the stone.',
  triggerType: 'inactivity',
  triggerValue: '90',
  authorName: '',
  recipients: [{ ...blankRecipient(), key: 'one', recipientAddress: 'agnes@example.org' }],
};
const [agnes] = whole.recipients as [RecipientForm];
const problems = (part: Partial<ScrollForm>, zone = 'UTC') =>
  Object.keys(formProblems({ ...whole, ...part }, NOW, zone));

test('everything that is missing is named at its field', () => {
  expect(Object.keys(formProblems(blankForm(), NOW, 'UTC'))).toEqual([
    'title',
    'content',
    'triggerValue',
    'recipients',
  ]);
  expect(problems({})).toEqual([]);
});

test('silence is a whole number of days from 1 to 365', () => {
  for (const triggerValue of ['1', '365']) expect(problems({ triggerValue })).toEqual([]);
  for (const triggerValue of ['0', '366', '1.5', 'x', ' ', '1e2', '0x10', '+5']) {
    expect(problems({ triggerValue })).toEqual(['triggerValue']);
  }
});

test('a day is one that has not begun yet in the zone in which it is meant', () => {
  const date = (triggerValue: string) => ({ triggerType: 'date', triggerValue }) as const;
  expect(problems(date('2026-11-23'))).toEqual([]);
  expect(problems(date('2026-11-22'))).toEqual(['triggerValue']);
  // Ten hours after midnight in UTC it is still the day before in Pago Pago, and the next day in Kiritimati.
  expect(problems(date('2026-11-22'), 'Pacific/Pago_Pago')).toEqual([]);
  expect(problems(date('2026-11-23'), 'Pacific/Kiritimati')).toEqual(['triggerValue']);
  expect(problems(date('2026-02-30'))).toEqual(['triggerValue']);
  expect(problems(date(''))).toEqual(['triggerValue']);
});

test('each recipient is judged by themselves, and nobody stands in the list twice', () => {
  const ben = { ...agnes, key: 'two', recipientAddress: 'ben@example.org' };
  const judge = (...recipients: RecipientForm[]) => formProblems({ ...whole, recipients }, NOW, 'UTC');
  expect(judge(agnes, ben)).toEqual({});
  expect(judge(agnes, { ...ben, recipientAddress: 'ben' }).recipients).toEqual({
    two: 'This is not an e-mail address.',
  });
  expect(judge(agnes, { ...ben, recipientAddress: 'Agnes@example.org ' }).recipients).toEqual({
    two: 'This address stands above already.',
  });
  const later = { tell: 'if-unopened' } as const;
  expect(judge({ ...agnes, ...later }, ben)).toEqual({});
  expect(judge({ ...agnes, ...later }, { ...ben, ...later }).tell).toMatch(/At least one recipient/);
});

test('a name that could be taken for an address is refused at its field', () => {
  expect(problems({ authorName: 'Agnes of the Lake' })).toEqual([]);
  expect(problems({ authorName: 'evil.example' })).toEqual(['authorName']);
});

test('another trigger clears its value, and a recipient is changed or removed without the others', () => {
  expect(withTrigger(whole, 'date')).toEqual({ ...whole, triggerType: 'date', triggerValue: '' });
  expect(withTrigger(whole, 'manual').triggerValue).toBe('manual');
  const ben = { ...agnes, key: 'two', tell: 'if-unopened' as const };
  const both = { ...whole, recipients: [agnes, ben] };
  expect(withRecipient(both, 'two', { recipientAddress: 'b@c.de' }).recipients).toEqual([
    agnes,
    { ...ben, recipientAddress: 'b@c.de' },
  ]);
  // Who is left alone is told at the release.
  expect(withoutRecipient(both, 'one').recipients).toEqual([{ ...ben, tell: 'at-release' }]);
});

test('what the server says of a field stands at that field', () => {
  const at = (sentence: string) => problemAtField(sentence, whole);
  expect(at('triggerValue: This day has begun already.')).toEqual({
    triggerValue: 'This day has begun already.',
  });
  expect(at('encryptedContent: It is too long.')).toEqual({ content: 'It is too long.' });
  expect(at('recipients.0.recipientAddress: No vault on this server.')).toEqual({
    recipients: { one: 'No vault on this server.' },
  });
  expect(at('recipients.1.recipientAddress: No vault on this server.')).toBeNull();
  expect(at('A vault keeps 100 letters at most.')).toBeNull();
  expect(at('recipients.0.access: Only a whisper is sealed to a vault.')).toBeNull();
});
