import { expect, it } from 'vitest';
import { calendarWords } from '../../../shared/nouns/calendar-words.ts';
import type { SwitchOutlook } from '../../../shared/nouns/switch.ts';
import { calendarDoubts, staysPaused } from '../../../shared/nouns/switch-state.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { outlookWords, uptimeWords } from './uptime-words.ts';

const month = (ranADay: number, countedADay = DAY) => ({
  passed: 30 * DAY,
  counted: 30 * countedADay,
  ran: 30 * ranADay,
});

it.each([
  [
    'a server that always runs',
    month(DAY),
    /last 30 days this server ran 24 hours a day\. 30 days .* as long here/,
  ],
  ['a laptop', month(16 * HOUR), /ran 16 hours a day\. 30 days without activity take as long here/],
  ['a laptop that has lost a day', month(16 * HOUR, 29 * HOUR * (24 / 30)), /take about 31 days here/],
  ['a server that is off for weeks', month(8 * HOUR, 12 * HOUR), /take about 60 days here/],
  ['one that runs an hour', month(HOUR), /ran 1 hour a day/],
  ['a new one', null, /has not run for long enough to say how long 30 days take here/],
] as const)('tells of %s', (_, uptime, words) => {
  const [counted] = uptimeWords(30 * DAY, { uptime, staysPaused: null });
  expect(counted?.says).toMatch(words);
  expect(counted?.urgent).toBe(false);
});

it('warns of one that runs for less than an hour a day', () => {
  const [counted] = uptimeWords(30 * DAY, { uptime: month(20 * MINUTE), staysPaused: null });
  expect(counted?.urgent).toBe(true);
  expect(counted?.says).toContain('ran 20 minutes a day');
});

it('says what happens when nobody can confirm', () => {
  const says = (staysPaused: SwitchOutlook['staysPaused']) =>
    uptimeWords(DAY, { uptime: null, staysPaused })[1]?.says;
  expect(says(null)).toMatch(
    /If nobody answers for 90 days after a mail server has accepted .*, it goes on by itself/,
  );
  expect(says(null)).toContain('Where no author can be told by mail, it does so after 180 days.');
  for (const why of staysPaused) expect(says(why)).toContain('until its administrator confirms');
});

const silence = { triggerType: 'inactivity', triggerValue: '30' } as const;
const date = { triggerType: 'date', triggerValue: '2031-05-01' } as const;
const aServer = (calendar: SwitchOutlook['calendar']) => ({
  calendar,
  uptime: month(DAY),
  staysPaused: null,
});

it.each([
  ['silence', silence, 'unproved', calendarWords.unproved.silence],
  ['silence', silence, 'stood-still', calendarWords['stood-still'].silence],
  ['a date', date, 'unproved', calendarWords.unproved.dates],
  ['a date', date, 'stood-still', calendarWords['stood-still'].dates],
  ['a date', date, 'set-forward', calendarWords['set-forward'].dates],
] as const)('warns first, and of %s alone, where its calendar is doubted', (_, scroll, doubt, words) => {
  const [first, ...others] = outlookWords(scroll, aServer(doubt));
  expect(first).toEqual({ says: `${calendarWords[doubt].what} ${words}`, urgent: true });
  expect(others).toEqual(outlookWords(scroll, aServer(null)));
  expect(others.some(({ urgent }) => urgent)).toBe(false);
});

it('does not warn of a doubt that changes nothing', () => {
  expect(outlookWords(silence, aServer('set-forward'))).toEqual(uptimeWords(30 * DAY, aServer(null)));
  expect(outlookWords(date, aServer(null))).toEqual([]);
  for (const doubt of calendarDoubts) {
    expect(outlookWords({ triggerType: 'manual', triggerValue: '' }, aServer(doubt))).toEqual([]);
  }
});
