// What can be expected of a watch on this server, which may be off at times and whose date may be wrong, in words.
import { calendarWords } from '../../../shared/nouns/calendar-words.ts';
import type { TriggerType } from '../../../shared/nouns/legacy.ts';
import type { SwitchOutlook } from '../../../shared/nouns/switch.ts';
import { DAY, formatDuration, HOUR, MINUTE } from '../../../shared/time.ts';

export interface UptimeWords {
  says: string;
  /** Whether it is a warning. */
  urgent: boolean;
}

const days = (milliseconds: number) => Math.round(milliseconds / DAY);
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What a scroll meets here that waits for something; nothing where only its author releases it. */
export function outlookWords(
  { triggerType, triggerValue }: { triggerType: TriggerType; triggerValue: string },
  outlook: SwitchOutlook,
): UptimeWords[] {
  if (triggerType === 'manual') return [];
  const silent = triggerType === 'inactivity';
  return [
    ...doubtWords(outlook.calendar, silent ? 'silence' : 'dates'),
    ...(silent ? uptimeWords(Number(triggerValue) * DAY, outlook) : []),
  ];
}

function doubtWords(doubt: SwitchOutlook['calendar'], waitsFor: 'silence' | 'dates'): UptimeWords[] {
  // It changes nothing for this one.
  if (doubt === null || (doubt === 'set-forward' && waitsFor === 'silence')) return [];
  const words = calendarWords[doubt];
  return [{ says: `${words.what} ${words[waitsFor]}`, urgent: true }];
}

/** @param period milliseconds without activity after which a scroll is released */
export function uptimeWords(
  period: number,
  { uptime, staysPaused }: Omit<SwitchOutlook, 'calendar'>,
): UptimeWords[] {
  return [countedWords(period, uptime), { says: unconfirmed(staysPaused), urgent: false }];
}

function countedWords(period: number, uptime: SwitchOutlook['uptime']): UptimeWords {
  const wanted = plural(days(period), 'day');
  if (uptime === null) {
    const says = `Time counts while this server runs; when it is off, each absence counts for a day at most. It has not run for long enough to say how long ${wanted} take here.`;
    return { says, urgent: false };
  }
  const { passed, counted, ran } = uptime;
  const aDay = (ran / passed) * DAY;
  const over = `Over the last ${plural(Math.max(1, days(passed)), 'day')} this server ran ${hours(aDay)} a day.`;
  if (aDay < HOUR) {
    const says = `${over} A letter may be sent much later than you choose, and warnings may reach you late: a dead man’s switch needs a server that runs.`;
    return { says, urgent: true };
  }
  // What it lost once may have been a single outage; more than is counted never passes.
  const here = days(period * Math.max(1, passed / Math.max(counted, 1)));
  const takes = here > days(period) ? `about ${plural(here, 'day')} here` : 'as long here';
  return { says: `${over} ${wanted} without activity take ${takes}.`, urgent: false };
}

/** Hours of a day, or minutes below one. */
const hours = (aDay: number) =>
  aDay < HOUR
    ? formatDuration(Math.max(aDay, MINUTE))
    : plural(Math.min(24, Math.round(aDay / HOUR)), 'hour');

const unconfirmed = (stays: SwitchOutlook['staysPaused']) =>
  stays === null
    ? 'If this server is ever restored from a backup or moved, its administrator is asked first. If nobody answers for 90 days after a mail server has accepted a mail that tells an author of it, it goes on by itself, and every countdown begins anew. Where no author can be told by mail, it does so after 180 days.'
    : 'If this server is ever restored from a backup or moved, no letter is sent until its administrator confirms.';
