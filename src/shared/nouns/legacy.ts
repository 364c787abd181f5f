// Legacy scrolls: one letter to a few recipients, released by silence, by a date or by hand. The author's calls, the
// recipients', and the rules that both sides of the wire must agree on. docs/legacy.md tells the whole.

import * as z from 'zod/mini';
import { AUTHOR_NAME_MAX, authorNameProblem, normaliseAuthorName } from '../author-name.ts';
import { call } from '../http/call.ts';
import { clear, sealed } from '../http/field-classes.ts';
import {
  createdAt,
  entryId,
  pageQuery,
  sealFields,
  sealReply,
  timestamp,
  updatedAt,
  version,
} from '../http/wire.ts';
import { LABEL_MAX, labelProblem, normaliseLabel } from '../letter-label.ts';
import { ENTRY_CONTENT_MAX, sealedKinds } from '../sealed-kinds.ts';
import { DAY } from '../time.ts';
import { ENTRY_BODY_LIMIT } from './entry-calls.ts';
import {
  accessInput,
  RECIPIENTS_MAX,
  recipientAddress,
  recipientInput,
  recipientType,
  releasedAt,
  scrollRecipientSchema,
} from './scroll-recipients.ts';
import { holds } from './switch-state.ts';

export const triggerTypes = ['inactivity', 'date', 'manual'] as const;
export type TriggerType = (typeof triggerTypes)[number];

export const INACTIVITY_MIN = 1;
export const INACTIVITY_MAX = 365;
/** The most scrolls of one account. */
export const SCROLLS_MAX = 100;

export type ScrollState = 'dormant' | 'watching' | 'released';

/** Which of its three states a scroll is in. */
export function scrollState(scroll: { isActive: boolean; hasTriggered: boolean }): ScrollState {
  if (scroll.hasTriggered) return 'released';
  return scroll.isActive ? 'watching' : 'dormant';
}

/** By the scroll key, sealed under the vault's, the author rereads, edits and shows each key card again. */
const { title, encryptedScrollKey } = sealedKinds['legacy-scroll'].fields;
/** Sealed under the letter's own key: the letter, its title, its date and what its files are as JSON. */
export const encryptedContent = sealed('a legacy scroll’s words, and what its files are', ENTRY_CONTENT_MAX);
const triggerType = clear(
  'what releases a legacy scroll',
  z.enum(triggerTypes, 'A letter is released by inactivity, by a date or by hand.'),
);
const triggerValue = clear(
  'after how much inactivity, or on which day, a legacy scroll is released',
  z.string('Choose when it is released.').check(
    z.refine((value) => value.trim() !== '', 'Choose when it is released.'),
    z.maxLength(40, 'This is neither a number of days nor a date.'),
  ),
);
/** A number of days may come as a JSON number. */
const triggerValueInput = clear(
  'after how much inactivity, or on which day, a legacy scroll is released',
  z.pipe(
    z.union(
      [z.string().check(z.maxLength(40, 'This is neither a number of days nor a date.')), z.number()],
      'Choose when it is released.',
    ),
    z.pipe(z.transform(String), triggerValue),
  ),
);
const timeZone = clear('in which time zone a legacy scroll’s day begins', z.string().check(z.maxLength(64)));
const authorName = clear(
  'the name that mails to a legacy scroll’s recipients give as yours, if you enter one and mails are sent',
  z.string().check(z.maxLength(AUTHOR_NAME_MAX)),
);
/** Kept as `normaliseAuthorName` has it; blank is none. */
const authorNameInput = clear(
  'the name that mails to a legacy scroll’s recipients give as yours, if you enter one and mails are sent',
  z.pipe(
    z.string().check(
      z.maxLength(4 * AUTHOR_NAME_MAX, 'This name is too long.'),
      z.superRefine((name, context) => {
        const problem = authorNameProblem(name);
        if (problem) context.addIssue(problem);
      }),
    ),
    z.transform((name) => normaliseAuthorName(name) || null),
  ),
);

const label = clear(
  'the label that mails to you give a legacy scroll, if you enter one',
  z.string().check(z.maxLength(LABEL_MAX)),
);
/** Kept as `normaliseLabel` has it; blank is none. */
const labelInput = clear(
  'the label that mails to you give a legacy scroll, if you enter one',
  z.pipe(
    z.string().check(
      z.maxLength(4 * LABEL_MAX, 'This label is too long.'),
      z.superRefine((text, context) => {
        const problem = labelProblem(text);
        if (problem) context.addIssue(problem);
      }),
    ),
    z.transform((text) => normaliseLabel(text) || null),
  ),
);

export const scrollSchema = z.object({
  id: entryId,
  title,
  encryptedContent,
  encryptedScrollKey: z.nullable(encryptedScrollKey),
  triggerType,
  triggerValue,
  timeZone,
  /** Those of the first recipient, as clients know them that are written from the specification. */
  recipientType,
  recipientAddress,
  recipients: z.array(scrollRecipientSchema),
  /** Null where none was entered. */
  authorName: z.nullable(authorName),
  isActive: clear('whether a legacy scroll watches', z.boolean()),
  hasTriggered: clear('whether a legacy scroll was released', z.boolean()),
  /** The last sign of activity of the account. */
  lastActivity: clear('when you were last active', timestamp),
  createdAt,
  updatedAt,
  version,
  handedOverAt: z.nullable(clear('when you said that you handed a key card over', timestamp)),
  /** What its author calls it in mails to themselves, and when its watch was activated. `null` while dormant. */
  label: z.nullable(label),
  activatedAt: z.nullable(clear('when you activated a legacy scroll', timestamp)),
  /** `null` while dormant. */
  warning: z.nullable(clear('whether a letter’s author is warned by mail', z.enum(['mail', 'dashboard']))),
  /** Milliseconds of counted time until the deadline; null unless it watches by inactivity or date. */
  remaining: z.nullable(clear('how long until a legacy scroll is released', z.int())),
  hold: z.nullable(clear('why a legacy scroll is held back', z.enum(holds))),
  /** The last warning, if one was issued in this silence. */
  warned: z.nullable(
    z.object({
      at: clear('when a warning was written', timestamp),
      state: clear('what became of a warning', z.enum(['waiting', 'sent', 'failed', 'cancelled'])),
      why: z.nullable(clear('why a message did not arrive', z.string())),
    }),
  ),
  releasedAt: z.nullable(releasedAt),
  ...sealReply,
});
export type Scroll = z.output<typeof scrollSchema>;

/** What the author's form sends, for a new scroll and for one that is changed. */
const form = {
  title,
  encryptedContent,
  triggerType,
  triggerValue: triggerValueInput,
  /** Absent: UTC. */
  timeZone: z.nullish(timeZone),
  /** One recipient, as clients send it that are written from the specification. Left out where `recipients` has them. */
  recipientType: z.nullish(recipientType),
  recipientAddress: z.nullish(recipientAddress),
  access: z.nullish(accessInput),
  /** All of them, in the order of the form. */
  recipients: z.nullish(
    z
      .array(recipientInput)
      .check(
        z.minLength(1, 'Enter who receives it.'),
        z.maxLength(RECIPIENTS_MAX, `A letter has ${RECIPIENTS_MAX} recipients at most.`),
      ),
  ),
  authorName: z.nullish(authorNameInput),
  encryptedScrollKey: z.nullish(encryptedScrollKey),
};

export const scrollInput = z.object({ ...form, ...sealFields });
export type ScrollInput = z.output<typeof scrollInput>;

/**
 * Everything of a scroll anew, as its author's form has it. While it watches, its trigger and its recipients must be
 * those it has. `access` is sent for a new card, a new passphrase or a whisper, and stops the watch unless the kind is
 * `vault`, whose signature every change of the words renews. A recipient that is left out has no way in any more.
 */
export const scrollPatch = z.object({ version, ...form, keyFingerprint: sealFields.keyFingerprint });
export type ScrollPatch = z.output<typeof scrollPatch>;

export const activateInput = z.object({
  /** The version that was seen: another one may have another key or another recipient. Absent: whichever there is. */
  version: z.nullish(version),
  /** "I have handed it over." A scroll that opens by a card or a passphrase does not watch without. */
  handedOver: z.nullish(clear('whether you say that you handed a key card over', z.boolean())),
  /** Absent: `dashboard`. */
  warning: z.nullish(clear('whether a letter’s author is warned by mail', z.enum(['mail', 'dashboard']))),
  /** The server reads it. Absent or blank: none. */
  label: z.nullish(labelInput),
});
export type ActivateInput = z.output<typeof activateInput>;

const scrolls = z.array(scrollSchema);

export const legacyScrolls = {
  list: call({
    method: 'GET',
    path: '/api/legacy-scrolls',
    access: 'signed-in',
    query: pageQuery,
    reply: scrolls,
  }),
  create: call({
    method: 'POST',
    path: '/api/legacy-scrolls',
    access: 'signed-in',
    inBook: true,
    status: 201,
    bodyLimit: ENTRY_BODY_LIMIT,
    body: scrollInput,
    reply: scrollSchema,
  }),
  /** One that watches takes a fresh proof (403 `proof-needed`), as disarming it does. */
  update: call({
    method: 'PATCH',
    path: '/api/legacy-scrolls/{id}',
    access: 'signed-in',
    inBook: true,
    bodyLimit: ENTRY_BODY_LIMIT,
    body: scrollPatch,
    reply: scrollSchema,
  }),
  activate: call({
    method: 'POST',
    path: '/api/legacy-scrolls/{id}/activate',
    access: 'signed-in',
    fresh: true,
    optionalBody: true,
    body: activateInput,
    reply: scrollSchema,
  }),
  disarm: call({
    method: 'POST',
    path: '/api/legacy-scrolls/{id}/disarm',
    access: 'signed-in',
    fresh: true,
    reply: scrollSchema,
  }),
  /** Releases a watching scroll now, whatever its trigger. */
  release: call({
    method: 'POST',
    path: '/api/legacy-scrolls/{id}/release',
    access: 'signed-in',
    fresh: true,
    reply: scrollSchema,
  }),
  /**
   * Also a released one: then its address leads nowhere any more, and what was not delivered yet never is. One that
   * watches or was released goes by a fresh proof only (403 `proof-needed`).
   */
  remove: call({
    method: 'DELETE',
    path: '/api/legacy-scrolls/{id}',
    access: 'signed-in',
    inBook: true,
    status: 204,
  }),
  /** What reaches whom here: the form says so before anything is written. */
  transports: call({
    method: 'GET',
    path: '/api/legacy-transports',
    access: 'signed-in',
    reply: z.object({
      email: clear('whether this server sends mail', z.boolean()),
      sms: clear('whether this server sends text messages', z.boolean()),
      /** Without it, text messages wait in the outbox for the administrator. */
      textsPermitted: clear('whether the administrator lets your text messages leave', z.boolean()),
    }),
  }),
};

/** For how long a scroll that a destroyed vault has left is kept, in milliseconds of counted time. */
export const DETACHED_LASTS = 365 * DAY;
