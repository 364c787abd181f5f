import { expect, test } from 'vitest';
import type {
  RecipientType,
  ScrollAccess,
  ScrollRecipient,
  Tell,
} from '../../../shared/nouns/scroll-recipients.ts';
import { DAY, MINUTE } from '../../../shared/time.ts';
import {
  deliveryWords,
  isNearItsEnd,
  needsPermission,
  remainingWords,
  tellingWords,
  timeWords,
  triggerWords,
  waitsFor,
  warningWords,
} from './scroll-words.ts';

test.each([
  [30_000, 'less than a minute'],
  [MINUTE, '1 minute'],
  [90 * MINUTE, '1 hour'],
  [DAY, '1 day'],
  [DAY + 4 * 60 * MINUTE, '1 day, 4 hours'],
  [89.9 * DAY, '89 days'],
])('%d milliseconds are %s', (milliseconds, words) => {
  expect(timeWords(milliseconds)).toBe(words);
});

test('each trigger is told in words, a date with its zone and never moved by the reader’s', () => {
  const trigger = (triggerType: 'inactivity' | 'date' | 'manual', triggerValue: string) =>
    triggerWords({ triggerType, triggerValue, timeZone: 'America/New_York' });
  expect(trigger('inactivity', '1')).toBe('After 1 day without activity');
  expect(trigger('date', '2027-06-14')).toBe('On 14 June 2027, as the day begins in America/New York');
  expect(trigger('manual', 'manual')).toBe('When you release it');
});

test('what is left goes on while the page stands open, but not while the switch is paused', () => {
  expect(remainingWords({ remaining: 2 * DAY, hold: null }, DAY)).toBe('1 day');
  expect(remainingWords({ remaining: 2 * DAY, hold: 'paused' }, DAY)).toBe('2 days');
  expect(remainingWords({ remaining: null, hold: null }, 0)).toBeNull();
  expect(remainingWords({ remaining: -1, hold: 'warned-lately' }, 0)).toBe('None: its time has come');
});

test('a message that failed says why, and one that was opened says when', () => {
  const at = '2026-11-22T10:00:00.000Z';
  const recipient = {
    ...{ recipientType: 'email', releasedAt: at, openedAt: null, delivery: null, reminder: null },
    unopenedSince: null,
  };
  const words = (part: object) =>
    deliveryWords({ ...recipient, ...part } as Parameters<typeof deliveryWords>[0]);
  expect(words({ delivery: { state: 'failed', at: null, attempts: 9, why: 'No such mailbox.' } })).toBe(
    'It could not be delivered. No such mailbox. It counts as sent all the same: its key opens it.',
  );
  expect(words({ delivery: { state: 'waiting', at: null, attempts: 1, why: null } })).toBe(
    'It waits to be delivered. Tried 1 time.',
  );
  expect(
    words({
      delivery: { state: 'waiting', at: null, attempts: 0, why: 'Withheld: so it is.', nextTryAt: at },
    }),
  ).toMatch(/^It waits to be delivered\. Withheld: so it is\. Next try 22 November 2026, .*\.$/);
  const sent = { state: 'sent', at, attempts: 1, why: null };
  expect(words({ delivery: sent })).toMatch(
    /^Handed over for delivery 22 November 2026, .* Not opened yet\.$/,
  );
  expect(words({ delivery: { ...sent, why: 'Perhaps twice.' } })).toMatch(
    /\. Perhaps twice\. Not opened yet\.$/,
  );
  const why = 'Withheld: this vault takes no more.';
  expect(
    words({ recipientType: 'whisper', delivery: { ...sent, state: 'waiting', at: null, attempts: 0, why } }),
  ).toBe('It waits to be delivered. Withheld: this vault takes no more.');
  expect(words({ delivery: sent, openedAt: at })).toMatch(/Opened 22 November 2026/);
  const reminder = { times: 2, at, state: 'sent', why: null };
  expect(words({ delivery: sent, reminder })).toMatch(
    /\. Reminded 2 times, last 22 November 2026, .* Not opened yet\.$/,
  );
  expect(words({ delivery: sent, reminder, unopenedSince: at })).toMatch(
    /They have not opened it, and nothing more is sent to them\.$/,
  );
  expect(
    words({ delivery: sent, reminder: { ...reminder, state: 'failed', why: 'No such mailbox.' } }),
  ).toMatch(/A reminder could not be delivered\. No such mailbox\./);
  const late = { ...reminder, state: 'waiting', why: 'The mail server could not be reached.' };
  expect(words({ delivery: sent, reminder: late, unopenedSince: at })).toMatch(
    /A reminder waits to be delivered\. The mail server could not be reached\. They have not opened it\.$/,
  );
  expect(words({ releasedAt: null })).toBe('Not told yet: the others come first.');
  expect(warningWords({ at, state: 'failed', why: 'Greylisted.' })).toMatch(
    /could not be sent\. Greylisted\.$/,
  );
});

test('what waits to be sent is told apart by how it leaves', () => {
  const recipient = { recipientType: 'email', delivery: null, reminder: null } as const;
  const waiting = { state: 'waiting' } as never;
  const of = (part: object, warned: object | null = null) =>
    waitsFor({ recipients: [{ ...recipient, ...part }], warned: warned as never });
  expect(of({})).toEqual({ mail: false, texts: false });
  expect(of({ delivery: waiting })).toEqual({ mail: true, texts: false });
  expect(of({ reminder: waiting })).toEqual({ mail: true, texts: false });
  expect(of({ recipientType: 'sms', delivery: waiting })).toEqual({ mail: false, texts: true });
  expect(of({ recipientType: 'whisper', delivery: waiting })).toEqual({ mail: false, texts: false });
  expect(of({}, { state: 'waiting' })).toEqual({ mail: true, texts: false });
  expect(of({ delivery: { state: 'sent' } as never })).toEqual({ mail: false, texts: false });
});

const one = (recipientType: RecipientType, access: ScrollAccess = 'card', tell: Tell = 'at-release') =>
  ({ recipientType, access, tell }) as ScrollRecipient;

test('nobody is said to be told where nothing is sent', () => {
  const transports = { email: true, sms: false, textsPermitted: false };
  const words = (...recipients: ScrollRecipient[]) => tellingWords(recipients, transports);
  expect(words(one('email'))).toBe('A mail to its recipient leaves at once.');
  expect(words(one('sms'))).toMatch(/waits in the outbox for the administrator/);
  expect(words(one('whisper', 'vault'))).toBe(
    'It lies in their vault from now on, or as soon as there is room for it.',
  );
  expect(words(one('whisper'))).toMatch(/if this server knows one/);
  expect(tellingWords([one('email')], undefined)).toMatch(/waits in the outbox/);
  expect(words(one('email'), one('email'), one('card'), one('email', 'card', 'if-unopened'))).toBe(
    'A mail to its recipient leaves at once. Nothing is sent: its recipient looks for themselves. The others are told only if nobody opens the letter.',
  );
});

test('a text message waits for the permission, where this server sends any', () => {
  const told = (textsPermitted: boolean) =>
    tellingWords([one('sms')], { email: true, sms: true, textsPermitted });
  expect(told(true)).toBe('A text message to its recipient leaves at once.');
  expect(told(false)).toMatch(/waits in the outbox for the administrator’s permission/);
  expect(needsPermission('sms', { email: true, sms: false, textsPermitted: false })).toBe(false);
  expect(needsPermission('email', { email: true, sms: true, textsPermitted: false })).toBe(false);
});

test('a watch for silence is near its end when a warning of it is due', () => {
  const near = (days: string, remaining: number | null, since = 0) =>
    isNearItsEnd({ triggerType: 'inactivity', triggerValue: days, remaining }, since);
  expect(near('90', 7 * DAY + 1)).toBe(false);
  expect(near('90', 7 * DAY + 1, 1)).toBe(true);
  expect(near('3', 1.5 * DAY)).toBe(false);
  expect(near('3', DAY)).toBe(true);
  expect(near('1', DAY / 2)).toBe(true);
  expect(near('90', null)).toBe(false);
  expect(isNearItsEnd({ triggerType: 'date', triggerValue: '2027-01-01', remaining: 1 }, 0)).toBe(false);
});
