// What leaves this server, for its administrator: messages, and whose text messages may leave.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { entryId, pageQuery, timestamp } from '../http/wire.ts';
import { messageChannels } from './scroll-recipients.ts';

export const messageKinds = [
  'release',
  'reminder',
  'warning',
  'after-release',
  'contact-warning',
  'postponed',
  'rehearsal',
  'rehearsal-due',
  'kit-asked',
  'kit-stopped',
  'kit-opened',
  'kit-made',
  'kit-removed',
  'sister-letter',
  'prove-address',
  'paused',
  'confirm-switch',
] as const;
export type MessageKind = (typeof messageKinds)[number];

/**
 * What may hold a message back: its recipient's address has had its messages for the day, its author has sent theirs, the
 * server has sent its own or those about letters of other servers, a whisper waits for room in its vault, or a text message for the administrator's permission.
 */
export const withheldReasons = ['address', 'account', 'sisters', 'server', 'vault', 'permission'] as const;
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
  body: z.nullable(clear('what a message says, which is nothing of a letter’s words', z.string())),
});
export type Message = z.output<typeof messageSchema>;

const accountNumber = clear('a random account number', z.string().check(z.maxLength(64)));

export const textPermissionSchema = z.object({
  id: entryId,
  accountId: accountNumber,
  /** Null for an account that signs in by passkey or by a provider alone. */
  name: z.nullable(clear('the name you sign in with', z.string())),
  /** How many of its scrolls go to a telephone number. */
  scrolls: clear('how many of your letters go by text message', z.int()),
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
    fresh: true,
    reply: messageSchema,
  }),
};
