import { expect, test } from 'vitest';
import {
  blankForm,
  formProblems,
  problemAtField,
  type ScrollForm,
  withRecipient,
  withTrigger,
} from './form.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
const whole: ScrollForm = {
  title: 'For later',
  content: 'The key is under the stone.',
  triggerType: 'inactivity',
  triggerValue: '90',
  recipientType: 'email',
  recipientAddress: 'agnes@example.org',
};
const problems = (part: Partial<ScrollForm>, zone = 'UTC') =>
  Object.keys(formProblems({ ...whole, ...part }, NOW, zone));

test('everything that is missing is named at its field', () => {
  expect(Object.keys(formProblems(blankForm, NOW, 'UTC'))).toEqual([
    'title',
    'content',
    'triggerValue',
    'recipientAddress',
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

test('another trigger clears its value, another kind of recipient the address, and nothing else', () => {
  expect(withTrigger(whole, 'date')).toEqual({ ...whole, triggerType: 'date', triggerValue: '' });
  expect(withTrigger(whole, 'manual').triggerValue).toBe('manual');
  expect(withRecipient(whole, 'sms')).toEqual({ ...whole, recipientType: 'sms', recipientAddress: '' });
});

test('what the server says of a field stands at that field', () => {
  expect(problemAtField('triggerValue: This day has begun already.')).toEqual({
    triggerValue: 'This day has begun already.',
  });
  expect(problemAtField('encryptedContent: It is too long.')).toEqual({ content: 'It is too long.' });
  expect(problemAtField('A vault keeps 100 scrolls at most.')).toBeNull();
  expect(problemAtField('access: Only a whisper is sealed to a vault.')).toBeNull();
});
