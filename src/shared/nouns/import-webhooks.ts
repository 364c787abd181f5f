// Live imports: addresses to which programs of the owner's choice post what becomes memories, by Standard Webhooks
// (standardwebhooks.com). The server reads each delivery once, seals it to the vault and keeps only the ciphertext.

import * as z from 'zod/mini';
import { isEdtf } from '../edtf.ts';
import { call } from '../http/call.ts';
import { arriving, clear, credential } from '../http/field-classes.ts';
import { createdAt, entryId, sealFields, sealReply, timestamp } from '../http/wire.ts';
import { sealedKinds } from '../sealed-kinds.ts';
import { DAY, MINUTE } from '../time.ts';

/** How many webhooks a vault may have. */
export const WEBHOOKS_MAX = 20;
/** The largest delivery, in bytes. */
export const DELIVERY_BODY_LIMIT = 256 * 1024;
/** How far a delivery's timestamp may be from the server's clock, in milliseconds, either way. */
export const DELIVERY_TOLERANCE = 5 * MINUTE;
/** For how long a delivery's id is remembered, in milliseconds. */
export const DELIVERIES_REMEMBERED = 30 * DAY;
/** For how long the address of a revoked webhook says so, in milliseconds: longer than a sender goes on trying. */
export const REVOKED_REMEMBERED = 30 * DAY;
/** Of how many revoked webhooks of an account that is remembered, the last of them. */
export const REVOKED_MAX = 100;
/** For how long an old signing secret goes on being accepted where its owner wants that, in milliseconds. */
export const OLD_SECRET_LASTS = DAY;
/** How many deliveries are accepted; those of a minute are also how many are sealed, whatever becomes of them. */
export const DELIVERY_LIMITS = {
  /** By one webhook in a minute. */
  minute: 60,
  /** By all webhooks of a vault in a minute. */
  vaultMinute: 120,
  /** By one webhook in a day. */
  day: 1000,
  /** By all webhooks of a vault in a day. */
  vaultDay: 2000,
} as const;

const TITLE_MAX = 200;
/** As many tags, and as long ones, as the app itself writes. */
const TAGS_MAX = 12;
const TAG_LENGTH_MAX = 40;

const { name } = sealedKinds.webhook.fields;

/**
 * Why a delivery of a webhook was not accepted: its signature, its timestamp, its body, too many of them, a full vault,
 * or a vault that has no key.
 */
export const deliveryRefusals = ['signature', 'time', 'body', 'rate', 'room', 'key'] as const;
export type DeliveryRefusal = (typeof deliveryRefusals)[number];

export const importWebhookSchema = z.object({
  id: entryId,
  name,
  createdAt,
  lastUsedAt: z.nullable(clear('when a webhook last brought something', timestamp)),
  received: clear('how much a webhook has brought', z.int()),
  /** Until when the secret before the present one is accepted as well. */
  oldSecretUntil: z.nullable(clear('until when a webhook’s old secret is accepted', timestamp)),
  lastRefusal: z.nullable(
    z.object({
      at: clear('when a delivery of a webhook was last refused', timestamp),
      reason: clear('why a delivery of a webhook was refused', z.enum(deliveryRefusals)),
    }),
  ),
  ...sealReply,
});
export type ImportWebhook = z.output<typeof importWebhookSchema>;

/** `whsec_` and 32 bytes: what a program was given by half signs nothing that is accepted. */
const secret = credential(
  'a webhook’s signing secret',
  z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{43}=$/)),
);

export const importWebhookInput = z.object({ name, ...sealFields });
export type ImportWebhookInput = z.output<typeof importWebhookInput>;

/** What a sender sends, as the page and the refusals name it. */
const FIELD = 'what a webhook brings';
const isWritten = (text: string) => text.trim() !== '';

const text = arriving(
  FIELD,
  z.string('This is not a text.').check(z.maxLength(DELIVERY_BODY_LIMIT, 'This is too long.')),
);

/** Unknown fields are refused: what a sender believes to have sent must not be dropped silently. */
const UNKNOWN_FIELD = 'There is a field here that is not known. docs/webhooks.md lists them.';
const closed = (issue: { code?: string }) =>
  issue.code === 'unrecognized_keys' ? UNKNOWN_FIELD : 'This is missing, or is no object.';

/** The payload of a delivery. `content` and `text` mean the same; one of them is sent. */
export const deliverySchema = z.strictObject(
  {
    type: arriving(
      'which event of another program a webhook tells of',
      z
        .string('This is missing, or is not a text.')
        .check(
          z.maxLength(128, { error: 'This is too long.', abort: true }),
          z.regex(
            /^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/,
            'This is not an event type, such as memory.created.',
          ),
        ),
    ),
    timestamp: arriving('when another program’s event happened', timestamp),
    data: z
      .strictObject(
        {
          title: z.optional(
            arriving(
              FIELD,
              z
                .string('This is not a text.')
                .check(z.maxLength(TITLE_MAX, `A title has ${TITLE_MAX} characters at most.`)),
            ),
          ),
          content: z.optional(text),
          text: z.optional(text),
          happenedOn: z.optional(
            arriving(
              FIELD,
              z
                .string('This is not a text.')
                .check(
                  z.maxLength(16, { error: 'This is not a date, such as 2019-05-17.', abort: true }),
                  z.refine(
                    isEdtf,
                    'This is not a date, such as 2019-05-17, 2019-05-17T14:30, 2019-05 or 2019.',
                  ),
                ),
            ),
          ),
          tags: z.optional(
            z
              .array(
                arriving(
                  FIELD,
                  z.string('This is not a text.').check(
                    z.maxLength(TAG_LENGTH_MAX, `A tag has ${TAG_LENGTH_MAX} characters at most.`),
                    z.refine(isWritten, 'A tag is blank.'),
                    z.refine((tag) => !tag.includes(','), 'A tag contains a comma.'),
                  ),
                ),
                'This is not a list.',
              )
              .check(z.maxLength(TAGS_MAX, `There are ${TAGS_MAX} tags at most.`)),
          ),
        },
        { error: closed },
      )
      .check(
        z.refine(
          ({ content, text }) => (content === undefined) !== (text === undefined),
          'Send either content or text, and not both.',
        ),
        z.refine(({ content, text }) => isWritten(content ?? text ?? '.'), 'The text is blank.'),
      ),
  },
  { error: closed },
);
export type Delivery = z.output<typeof deliverySchema>;

export const importWebhooks = {
  /** Twenty at most, newest first. */
  list: call({
    method: 'GET',
    path: '/api/import-webhooks',
    access: 'signed-in',
    reply: z.array(importWebhookSchema),
  }),
  /** 409 `webhooks-full` where there are twenty. Address and secret are answered this once. */
  create: call({
    method: 'POST',
    path: '/api/import-webhooks',
    access: 'signed-in',
    inBook: true,
    fresh: true,
    status: 201,
    body: importWebhookInput,
    reply: z.extend(importWebhookSchema, {
      url: credential('the address of a webhook', z.url()),
      secret,
    }),
  }),
  /** Gives a webhook another signing secret, which is answered this once. The address stays. */
  rotate: call({
    method: 'POST',
    path: '/api/import-webhooks/{id}/rotate',
    access: 'signed-in',
    fresh: true,
    body: z.object({
      oldSecret: clear(
        'whether a webhook’s old secret is accepted for another day',
        z.enum(['stays-a-day', 'ends-now']),
      ),
    }),
    reply: z.extend(importWebhookSchema, { secret }),
  }),
  /** Its address answers 410 for thirty days, and then 404. What it brought stays. */
  remove: call({
    method: 'DELETE',
    path: '/api/import-webhooks/{id}',
    access: 'signed-in',
    inBook: true,
    fresh: true,
    status: 204,
  }),
  /**
   * A delivery, signed by Standard Webhooks over the bytes of its body (docs/webhooks.md). 204 says that it is sealed and
   * stored, now or when it came before.
   */
  receive: call({
    method: 'POST',
    path: '/api/import/{token}',
    access: 'anyone',
    limited: 'guesses',
    status: 204,
    bodyLimit: DELIVERY_BODY_LIMIT,
    signedBody: true,
    body: deliverySchema,
  }),
};
