// Why the date of a server is not believed, in words: what has happened, what that makes of letters, and what helps.
import type { CalendarDoubt } from './switch-state.ts';

export interface CalendarWords {
  what: string;
  /** What it makes of letters that wait for silence… */
  silence: string;
  /** …and of those that wait for a date. */
  dates: string;
  /** What the administrator can do. */
  remedy: string;
}

export const calendarWords: Record<CalendarDoubt, CalendarWords> = {
  unproved: {
    what: 'No time server sets the clock of this server, and the clock has not run steadily for an hour either: nobody knows whether its date is right.',
    silence:
      'Time counts only while the server is on, so a letter that waits for inactivity is sent later than its author chose: at the latest when the server has been on for fourteen days after its time.',
    dates: 'A letter with a date is sent when the server has been on for about two days after it.',
    remedy: 'Let a time server set the clock, or leave the machine on for an hour, or confirm the date.',
  },
  'stood-still': {
    what: 'This server does not know how long it was off: its clock began again where it had ended.',
    silence:
      'A letter that waits for inactivity is held until the clock is set, or for a day after a new warning by mail, and fourteen days after its time at most.',
    dates: 'A letter with a date may be sent late, by as long as the machine was off.',
    remedy: 'Let a time server set the clock, or set it yourself. Then confirm the date.',
  },
  'set-forward': {
    what: 'The date of this server was set forward by more than a day while it ran, and no time server has confirmed the new one.',
    silence: 'Nothing changes for a letter that waits for inactivity.',
    dates: 'A letter with a date goes by the old date until the new one is confirmed.',
    remedy:
      'Confirm the date if it is right. If it is wrong, set the clock right, or let a time server do it.',
  },
};
