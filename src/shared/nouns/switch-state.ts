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
  'dark-date',
  'warning-unaccepted',
  'warned-lately',
] as const;
export type Hold = (typeof holds)[number];

const lastActivity = z.object({
  lastActivity: clear('when you were last active', timestamp),
});

export const proofOfLife = {
  /** Sent after a person's own pointer or key event, hourly at most, and by "Still here". */
  give: call({ method: 'POST', path: '/api/proof-of-life', access: 'signed-in', reply: lastActivity }),
};

export const pauseReasons = ['restored', 'another-key', 'journal-missing'] as const;
export type PauseReason = (typeof pauseReasons)[number];

export const switchStateSchema = z.object({
  /** Null while it works. A paused switch warns nobody and releases nothing. */
  paused: z.nullable(
    z.object({
      reason: message('why the switch is paused', z.enum(pauseReasons)),
      since: message('since when the switch is paused', timestamp),
      /** Milliseconds of running until it does; null where it may not, or no mail to an author has been accepted yet. */
      goesOnIn: z.nullable(message('when a paused switch goes on by itself', z.int())),
    }),
  ),
  /** Since when this server's own address does not answer, so that no time is counted; null where it does. */
  outOfReachSince: z.nullable(message('since when the server cannot be reached from outside', timestamp)),
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
};
