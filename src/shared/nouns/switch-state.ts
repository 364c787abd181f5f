// What the dashboard knows of the switch and of its scrolls: proofs of life, whether it is paused, and what holds a release
// back. Apart from the rest, as the app's first load needs it.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, message } from '../http/field-classes.ts';
import { timestamp } from '../http/wire.ts';

/** Why a watching scroll is not released although its time may have come; null where nothing holds it. */
export const holds = [
  'paused',
  'out-of-reach',
  'after-start',
  'after-outage',
  'postponed',
  'contact-told',
  'dark-date',
  'warning-unaccepted',
  'warned-lately',
  'calendar-stood-still',
  'calendar-set',
] as const;
export type Hold = (typeof holds)[number];

const lastActivity = z.object({
  lastActivity: clear('when you were last active', timestamp),
});

export const proofOfLife = {
  /** Sent after a person's own pointer or key event, hourly at most, and by "Still here". */
  give: call({ method: 'POST', path: '/api/proof-of-life', access: 'signed-in', reply: lastActivity }),
};

export const pauseReasons = ['restored', 'another-key', 'journal-missing', 'moved'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** Why a pause does not end before somebody confirms: that is forbidden, or a copy could not be told from the original. */
export const staysPaused = ['forbidden', 'no-address', 'another-address', 'not-reached'] as const;
export type StaysPaused = (typeof staysPaused)[number];

/**
 * Which database answers at a server's own address in place of its own: one of another history, or the same that has lived
 * on, or less.
 */
export const elsewheres = ['another', 'ahead', 'behind'] as const;
export type Elsewhere = (typeof elsewheres)[number];

/**
 * Why the calendar of the machine that ticks is not believed, beyond the first hours after a start: it has not proved
 * itself in more than two hours of running; it stands where the last tick before this boot ended; or it was set forward by
 * more than a day while the machine ran, and nobody has vouched for it.
 */
export const calendarDoubts = ['unproved', 'stood-still', 'set-forward'] as const;
export type CalendarDoubt = (typeof calendarDoubts)[number];

/** Since when nothing of a kind could be sent; null while it can, or where nobody has tried. */
export const failingTransports = {
  noMailSince: z.nullable(message('since when the server cannot send mail', timestamp)),
  noTextsSince: z.nullable(message('since when the server cannot send text messages', timestamp)),
};
const failingSchema = z.object(failingTransports);
export type FailingTransports = z.output<typeof failingSchema>;

export const switchStateSchema = z.object({
  /** Null while it works. A paused switch warns nobody and releases nothing. */
  paused: z.nullable(
    z.object({
      reason: message('why the switch is paused', z.enum(pauseReasons)),
      since: message('since when the switch is paused', timestamp),
      /** Milliseconds of running until it goes on by itself; null where it may not. */
      goesOnIn: z.nullable(message('when a paused switch goes on by itself', z.int())),
    }),
  ),
  /** Since when this server's own address does not answer, so that no time is counted; null where it does. */
  outOfReachSince: z.nullable(message('since when the server cannot be reached from outside', timestamp)),
  /** Which other database answers there: until none does, this server warns nobody and sends nothing. Null for none. */
  elsewhere: z.nullable(message('which other copy of the server answers at its address', z.enum(elsewheres))),
  /** Null where the server's calendar is believed. */
  calendar: z.nullable(
    z.object({
      doubt: message('why the server’s date is not believed', z.enum(calendarDoubts)),
      /** Now, as this server has it. */
      says: message('what the server’s date is', timestamp),
    }),
  ),
  ...failingTransports,
  /** Milliseconds of counted time for which silence releases nothing, after an outage; 0 for none. */
  heldFor: message('how long the switch holds after an outage', z.int()),
});
export type SwitchState = z.output<typeof switchStateSchema>;

export const theSwitch = {
  get: call({ method: 'GET', path: '/api/switch', access: 'signed-in', reply: switchStateSchema }),
  /** The administrator's word that this database is the one that counts. */
  confirm: call({
    method: 'POST',
    path: '/api/switch/confirm',
    access: 'admin',
    fresh: true,
    reply: switchStateSchema,
  }),
  /**
   * The administrator's word that the server's calendar is right. 409 `calendar-moved` where it is more than an hour from
   * what they were shown. Where it is believed already, nothing changes.
   */
  vouch: call({
    method: 'POST',
    path: '/api/switch/calendar',
    access: 'admin',
    fresh: true,
    body: z.object({ says: clear('what the server’s date was when you were asked', timestamp) }),
    reply: switchStateSchema,
  }),
};
