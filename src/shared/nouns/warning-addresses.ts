// Where an author is warned: an address that they have confirmed, and a second one beside it.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { timestamp } from '../http/wire.ts';
import { addressProblem } from './scroll-recipients.ts';

export const address = clear(
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
