// The dead man's switch as people meet it: sign of activity, the warning address, what is pressed in a mail, the state of
// the switch, and the administrator's outbox. And its rules in numbers, which docs/legacy.md explains.

import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, credential, message } from '../http/field-classes.ts';
import { base64url, entryId, pageQuery, timestamp } from '../http/wire.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';
import { addressProblem, messageChannels } from './scroll-recipients.ts';
import { calendarDoubts, staysPaused } from './switch-state.ts';

/** All times are milliseconds; those of the switch are counted time. */
export const switchRules = {
  /** A tick comes this often. */
  tick: MINUTE,
  /** Without a tick for more than so many intervals, nothing is answered or delivered before the next. */
  tickCounts: 2,
  /** Each absence between two ticks counts for so long at most. */
  absenceCounts: 26 * HOUR,
  /** Without counted time advancing for so long, something is wrong. */
  standsStillAfter: 10 * MINUTE,
  /** A calendar that moves by more than this against a clock that nobody can set was set. */
  drift: 5 * MINUTE,
  /** One that is set by minutes again and again, and stays so near to where it was, is believed like one that is not set. */
  jitter: 30 * MINUTE,
  /** A calendar that was not set for so long has proved itself. */
  provedAfter: HOUR,
  /** A day that begins within an absence longer than this has begun in the dark. */
  dark: HOUR,
  /** A longer absence is an outage… */
  outage: DAY,
  /** …and one longer than this a long one. */
  longOutage: 90 * DAY,
  /** After an outage silence releases nothing for so long. */
  holdAfterOutage: 3 * DAY,
  /** After a long outage it releases nothing for so long, whatever else ends. */
  holdAfterLongOutage: 30 * DAY,
  /** A date that passed in the dark waits so long. */
  holdAfterDarkDate: DAY,
  /** A pause that nobody answers ends by itself when so much of it was counted since an author was told… */
  pauseEndsAfter: 90 * DAY,
  /** …and when so much of it was counted, whether or not anybody could be told. */
  pauseEndsUntoldAfter: 180 * DAY,
  /** How long before the deadline warnings go, and after it while none was accepted. */
  warnings: [7 * DAY, 3 * DAY, DAY],
  warnAgainEvery: DAY,
  /** An author gets one warning in so long: what falls due within it goes along, and what has just fallen due may wait. */
  warningsApart: DAY,
  /** From an accepted warning to the release, at least. */
  graceAfterWarning: DAY,
  /** How long before a release by silence the trusted contact is told of it, and by how much they may postpone it. */
  contactToldBefore: 3 * DAY,
  postponement: 30 * DAY,
  /** Nothing but a pause, a long outage and the trusted contact holds a scroll longer than this after its deadline. */
  holdAtMost: 14 * DAY,
  /** After so many confirmations in a row only a sign-in counts. */
  confirmationsInARow: 3,
  /** How long after a recipient was told reminders go, until they have opened the letter. */
  reminders: [3 * DAY, 14 * DAY, 45 * DAY],
  /** How long after it the letter is taken for unopened, and who is told only then is told. */
  unopenedAfter: 60 * DAY,
  /** How long a rehearsal waits for its recipient, and when the author of one that watches is reminded of the next one. */
  rehearsalLasts: 30 * DAY,
  rehearseEvery: 365 * DAY,
} as const;

/** The rules as the engine takes them: the same, but a rehearsal may set its own. */
export type SwitchRules = {
  -readonly [Rule in keyof typeof switchRules]: (typeof switchRules)[Rule] extends readonly number[]
    ? readonly number[]
    : number;
};

/**
 * How long before the deadline each warning goes, longest first. None goes before half the period, and a period too
 * short for any of them gets one at its half.
 * @param period milliseconds
 */
export function warningLadder(period: number, { warnings }: Pick<SwitchRules, 'warnings'>): number[] {
  const steps = warnings.filter((before) => before <= period / 2);
  return steps.length > 0 ? steps : [period / 2];
}

/**
 * The step that is due, counted from one, or 0 for none yet. After the deadline a further step comes each
 * `warnAgainEvery`, for as long as no warning was accepted.
 * @param remaining milliseconds of counted time to the deadline; negative after it
 */
export function dueStep(
  period: number,
  remaining: number,
  rules: Pick<SwitchRules, 'warnings' | 'warnAgainEvery'>,
): number {
  const ladder = warningLadder(period, rules);
  if (remaining > 0) return ladder.filter((before) => remaining <= before).length;
  return ladder.length + 1 + Math.floor(-remaining / rules.warnAgainEvery);
}

/**
 * When a scroll that watches for silence is released, in counted time: the later of its deadline and the grace after a
 * warning that a mail server accepted. Without any, the deadline and the longest hold.
 * @param accepted counted time of the first warning that was accepted in this silence; null for none
 */
export function silenceReleaseAt(
  deadline: number,
  warning: 'mail' | 'dashboard',
  accepted: number | null,
  rules: Pick<SwitchRules, 'graceAfterWarning' | 'holdAtMost'>,
): number {
  if (warning === 'dashboard') return deadline;
  return accepted === null
    ? deadline + rules.holdAtMost
    : Math.max(deadline, accepted + rules.graceAfterWarning);
}

const address = clear(
  'the address that warnings go to',
  z.string('This is not an e-mail address.').check(
    z.maxLength(254, { error: 'This address is too long.', abort: true }),
    z.refine((value) => addressProblem('email', value) === null, 'This is not an e-mail address.'),
  ),
);

/** Warnings go to two addresses of an author at most. The first is for mail, and the second for mail or text messages. */
export const warningPlaces = ['first', 'second'] as const;
export type WarningPlace = (typeof warningPlaces)[number];
export const warningChannels = ['email', 'sms'] as const;
export type WarningChannel = (typeof warningChannels)[number];

export const warningAddressSchema = z.object({
  address: z.nullable(address),
  /** Null until somebody who reads its mail has pressed. */
  provedAt: z.nullable(clear('when your warning address was confirmed', timestamp)),
  /** The message that asks for the press. */
  request: z.nullable(
    z.object({
      state: clear('what became of a message', z.enum(['waiting', 'sent', 'failed', 'cancelled'])),
      why: z.nullable(clear('why a message did not arrive', z.string())),
    }),
  ),
});
export type WarningAddress = z.output<typeof warningAddressSchema>;

export const warningAddress = {
  get: call({
    method: 'GET',
    path: '/api/warning-address',
    access: 'signed-in',
    reply: warningAddressSchema,
  }),
  /** Asks by mail for a press. Until it comes, the address that was proved before stays in use. */
  put: call({
    method: 'PUT',
    path: '/api/warning-address',
    access: 'signed-in',
    fresh: true,
    body: z.object({ address }),
    reply: warningAddressSchema,
  }),
  /** The second one goes, too, and watching scrolls that were to be warned by mail go on with the dashboard alone. */
  remove: call({
    method: 'DELETE',
    path: '/api/warning-address',
    access: 'signed-in',
    fresh: true,
    status: 204,
  }),
};

const secondChannel = clear(
  'whether your second warning goes by mail or by text message',
  z.enum(warningChannels, 'Choose how the second warning reaches you.'),
);
const secondAddress = 'the second address or telephone number that warnings go to';

export const secondWarningSchema = z.object({
  /** Null with no address. */
  channel: z.nullable(secondChannel),
  address: z.nullable(clear(secondAddress, z.string())),
  /** Null until somebody who reads its messages has pressed. */
  provedAt: z.nullable(clear('when your second warning address was confirmed', timestamp)),
  request: warningAddressSchema.shape.request,
});
export type SecondWarning = z.output<typeof secondWarningSchema>;

/** Warnings go there as well. It follows the first address: without one that was proved there is no second. */
export const secondWarning = {
  get: call({
    method: 'GET',
    path: '/api/second-warning',
    access: 'signed-in',
    reply: secondWarningSchema,
  }),
  /** Asks there for a press. 409 `warning-unproved` while the first address is not proved. */
  put: call({
    method: 'PUT',
    path: '/api/second-warning',
    access: 'signed-in',
    fresh: true,
    body: z
      .object({
        /** Not what is answered as `channel`: that stays the confirmed one's until somebody presses. */
        wantedChannel: secondChannel,
        address: clear(secondAddress, z.string().check(z.maxLength(254, 'This address is too long.'))),
      })
      .check(
        z.superRefine(({ wantedChannel, address }, context) => {
          const problem = addressProblem(wantedChannel, address);
          if (problem) context.addIssue({ code: 'custom', message: problem, path: ['address'] });
        }),
      ),
    reply: secondWarningSchema,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/second-warning',
    access: 'signed-in',
    fresh: true,
    status: 204,
  }),
};

/** 16 bytes of a recipient's number and 16 of its proof, base64url; of a message, with 16 of its account's between. */
const token = credential('a number in a mail’s link', z.union([base64url(32), base64url(48)]));

export const confirmationKinds = ['warning', 'prove-address', 'reminders', 'postpone', 'decline'] as const;
export type ConfirmationKind = (typeof confirmationKinds)[number];

/** What a mail's link asks for: `reminders` ends those to a recipient, any number of times, `postpone` is the trusted contact's, and so is `decline`, by which they are one no more. Looking proves nothing: only a press does, and each link takes one. */
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
 * Where the `List-Unsubscribe` of a reminder, or of a mail to a trusted contact, leads. A mail program posts there once its user has pressed (RFC 8058), with
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

export const messageKinds = [
  'release',
  'reminder',
  'warning',
  'after-release',
  'contact-warning',
  'postponed',
  'rehearsal',
  'rehearsal-due',
  'prove-address',
  'paused',
  'confirm-switch',
] as const;
export type MessageKind = (typeof messageKinds)[number];

/**
 * What may hold a message back: its recipient's address has had its messages for the day, its author has sent theirs, the
 * whole server has sent its own, a whisper waits for room in its vault, or a text message for the administrator's permission.
 */
export const withheldReasons = ['address', 'account', 'server', 'vault', 'permission'] as const;
export type WithheldReason = (typeof withheldReasons)[number];

export const messageSchema = z.object({
  id: entryId,
  kind: clear('what a message is for', z.enum(messageKinds)),
  channel: clear('how a legacy scroll’s recipient is reached', z.enum(messageChannels)),
  address: clear('whom a message goes to', z.string()),
  state: clear('what became of a message', z.enum(['waiting', 'sent', 'failed', 'cancelled'])),
  attempts: clear('how often a delivery was tried', z.int()),
  why: z.nullable(clear('why a message did not arrive', z.string())),
  /** Null unless a limit or a missing permission holds it back. */
  withheld: z.nullable(clear('what holds a message back', z.enum(withheldReasons))),
  /** When the next message of those that the same limit holds back may leave; null for none. */
  nextTryAt: z.nullable(clear('when a message that is held back is looked at next', timestamp)),
  createdAt: clear('when a message was written', timestamp),
  sentAt: z.nullable(clear('when a message was accepted', timestamp)),
  /** It reached its recipient without a transport of this server. */
  byHand: clear('whether a message was passed on by hand', z.boolean()),
  /** The numbers of the scrolls that it is about, as long as these are there. A warning may name many. */
  scrollIds: z.array(clear('which legacy scrolls a message is about', entryId)),
  /** What it says, for the administrator to pass on by hand; null once it was sent or cancelled. */
  body: z.nullable(clear('what a message says, which is nothing of a scroll’s words', z.string())),
});
export type Message = z.output<typeof messageSchema>;

const accountNumber = clear('a random account number', z.string().check(z.maxLength(64)));

export const textPermissionSchema = z.object({
  id: entryId,
  accountId: accountNumber,
  /** Null for an account that signs in by passkey or by a provider alone. */
  name: z.nullable(clear('the name you sign in with', z.string())),
  /** How many of its scrolls go to a telephone number. */
  scrolls: clear('how many of your scrolls go by text message', z.int()),
  waiting: clear('how many of your text messages wait for the administrator’s permission', z.int()),
  permitted: clear('whether the administrator lets your text messages leave', z.boolean()),
});
export type TextPermission = z.output<typeof textPermissionSchema>;

const textPermissionQuery = z.extend(pageQuery, {
  /** Only those with messages that wait for the permission, or only the others. Absent: both. */
  waiting: z.optional(
    clear('whether accounts with waiting text messages are listed, or the others', z.enum(['yes', 'no'])),
  ),
});

/** Text messages cost money, so the administrator decides whose leave. Administrators need no permission. */
export const textPermissions = {
  /** Accounts that are permitted, and those whose scrolls need it; the newest first. */
  list: call({
    method: 'GET',
    path: '/api/text-permissions',
    access: 'admin',
    query: textPermissionQuery,
    reply: z.array(textPermissionSchema),
  }),
  /** Any account by its number, with scrolls or without; 404 for one that needs no permission, too. */
  find: call({
    method: 'GET',
    path: '/api/text-permissions/{accountId}',
    access: 'admin',
    reply: textPermissionSchema,
  }),
  /** What waited for the permission leaves at once, as far as the limits allow. */
  grant: call({
    method: 'POST',
    path: '/api/text-permissions/{accountId}/grant',
    access: 'admin',
    fresh: true,
    reply: textPermissionSchema,
  }),
  revoke: call({
    method: 'POST',
    path: '/api/text-permissions/{accountId}/revoke',
    access: 'admin',
    fresh: true,
    reply: textPermissionSchema,
  }),
};

/** The administrator's view of what leaves this server. */
export const outbox = {
  /** How many recipients have not opened their letter, though nothing more is sent to them. Nothing says who. */
  unopened: call({
    method: 'GET',
    path: '/api/outbox-unopened',
    access: 'admin',
    reply: z.object({ recipients: clear('how many released letters nobody has opened', z.int()) }),
  }),
  list: call({
    method: 'GET',
    path: '/api/outbox',
    access: 'admin',
    query: pageQuery,
    reply: z.array(messageSchema),
  }),
  /** Tries a message that waits or has failed again now. */
  retry: call({
    method: 'POST',
    path: '/api/outbox/{id}/retry',
    access: 'admin',
    reply: messageSchema,
  }),
  /** The administrator has passed it on by hand: it counts as delivered, but a warning never as accepted by a mail server. */
  passedOn: call({
    method: 'POST',
    path: '/api/outbox/{id}/passed-on',
    access: 'admin',
    reply: messageSchema,
  }),
};
