// The dead man’s switch as people meet it: what is pressed in a mail, how reminders are stopped, and what can be expected of it.

import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, credential, message } from '../http/field-classes.ts';
import { base64url } from '../http/wire.ts';
import { calendarDoubts, staysPaused } from './switch-state.ts';

/** 16 bytes of a recipient's number and 16 of its proof, base64url; of a message, with 16 of its account's between. */
const token = credential('a number in a mail’s link', z.union([base64url(32), base64url(48)]));

export const confirmationKinds = [
  ...(['warning', 'prove-address', 'reminders', 'rehearsals'] as const),
  ...(['yearly', 'postpone', 'decline', 'guardians'] as const),
] as const;
export type ConfirmationKind = (typeof confirmationKinds)[number];

/** What a mail's link asks for: `reminders` ends those to a recipient, any number of times, and `rehearsals` the messages of rehearsals; `yearly` ends those to an author that ask for one; `postpone` is the trusted contact's, and so is `decline`, by which they are one no more; `guardians` stops what guardians have asked for. Looking proves nothing: only a press does, and each link takes one. */
export const confirmations = {
  look: call({
    method: 'POST',
    path: '/api/confirmations/look',
    access: 'anyone',
    body: z.object({ token }),
    reply: z.object({
      kind: clear('what a mail’s link asks for', z.enum(confirmationKinds)),
      /** `sign-in`: it was pressed three times in a row, and only a sign-in counts now. */
      state: clear('whether a mail’s link still counts', z.enum(['open', 'pressed', 'over', 'sign-in'])),
    }),
  }),
  /** 410 `press-over` when it was pressed before, or nothing is left to press for; 409 `sign-in-counts` after three. */
  press: call({
    method: 'POST',
    path: '/api/confirmations',
    access: 'anyone',
    body: z.object({ token }),
    reply: z.object({
      kind: clear('what a mail’s link asks for', z.enum(confirmationKinds)),
      /** How many more confirmations count before a sign-in is needed; null for an address. */
      confirmationsLeft: z.nullable(clear('how many more links in mails count', z.int())),
    }),
  }),
};

/**
 * Where the `List-Unsubscribe` of a reminder, of a rehearsal, of the yearly mail to an author, or of a mail to a trusted contact, leads. A mail program posts there once its user has pressed (RFC 8058), with
 * a body that is not read; a browser that is led there finds the page with the button.
 */
export const reminders = {
  page: call({ method: 'GET', path: '/api/reminders/{token}', access: 'anyone', navigation: true }),
  stop: call({ method: 'POST', path: '/api/reminders/{token}', access: 'anyone', status: 204 }),
};

export const switchOutlookSchema = z.object({
  /** Null where a pause would end by itself after long. */
  staysPaused: z.nullable(message('why a paused switch would not go on by itself', z.enum(staysPaused))),
  /** Null where the server's calendar is believed. */
  calendar: z.nullable(message('why the server’s date is not believed', z.enum(calendarDoubts))),
  /**
   * Of the last thirty days, in milliseconds: what has passed, what was counted, and for how long the server ran. Null
   * before a whole day was seen.
   */
  uptime: z.nullable(
    z.object({
      passed: message('over how long the server’s running was measured', z.int()),
      counted: message('how much of that time the server counted', z.int()),
      ran: message('how long the server ran in that time', z.int()),
    }),
  ),
});
export type SwitchOutlook = z.output<typeof switchOutlookSchema>;

/** What can be expected of the switch of this server, for whoever is about to rely on it. */
export const switchOutlook = {
  get: call({
    method: 'GET',
    path: '/api/switch/outlook',
    access: 'signed-in',
    reply: switchOutlookSchema,
  }),
};
