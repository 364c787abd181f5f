// Who may create an account: the mode that holds, and the one-time invitations that an administrator makes and revokes.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, credential } from '../http/field-classes.ts';
import { timestamp } from '../http/wire.ts';

export const signUpModes = ['open', 'invitation', 'closed'] as const;
export type SignUpMode = (typeof signUpModes)[number];

export const INVITATION_DAYS = 7;
export const INVITATION_DAYS_MAX = 90;
/** How many may be open at once: neither used, nor revoked, nor expired. */
export const INVITATIONS_OPEN_MAX = 100;

/** What an invitation's link carries; while there is no administrator, the set-up token will do as well. */
export const invitationText = z.string().check(z.minLength(1), z.maxLength(200));
export const invitationInput = z.optional(credential('an invitation', invitationText));

const mode = clear('who may create an account here', z.enum(signUpModes));

export const signUpSchema = z.object({
  mode,
  provider: clear('whether a sign-in provider says who people are', z.boolean()),
  /** While nobody is, the set-up token counts as an invitation. */
  hasAdmin: clear('whether somebody is the administrator', z.boolean()),
});
export type SignUp = z.output<typeof signUpSchema>;

export const signUpSettingsSchema = z.object({
  mode,
  byConfiguration: clear('whether the configuration decides who may create an account', z.boolean()),
});
export type SignUpSettings = z.output<typeof signUpSettingsSchema>;

export const signUp = {
  /** What the gate says to somebody who is here for the first time. */
  get: call({ method: 'GET', path: '/api/sign-up', access: 'anyone', reply: signUpSchema }),
  /** Answers whether an account could be created now, before anybody chooses a passphrase. It spends nothing. */
  check: call({
    method: 'POST',
    path: '/api/sign-up/check',
    access: 'anyone',
    limited: 'address',
    status: 204,
    body: z.object({ invitation: invitationInput }),
  }),
  settings: call({
    method: 'GET',
    path: '/api/admin/sign-up',
    access: 'admin',
    reply: signUpSettingsSchema,
  }),
  put: call({
    method: 'PUT',
    path: '/api/admin/sign-up',
    access: 'admin',
    fresh: true,
    body: z.object({ mode }),
    reply: signUpSettingsSchema,
  }),
};

export const invitationSchema = z.object({
  id: clear('an invitation’s number', z.int()),
  state: clear('what became of an invitation', z.enum(['unused', 'used', 'revoked', 'expired'])),
  createdAt: clear('when an invitation was made', timestamp),
  expiresAt: clear('when an invitation expires', timestamp),
  /** When it was used or revoked. */
  endedAt: z.nullable(clear('when an invitation was used or revoked', timestamp)),
});
export type Invitation = z.output<typeof invitationSchema>;

export const invitations = {
  /** Every open one, and the last 200 of the others; each newest first. */
  list: call({
    method: 'GET',
    path: '/api/admin/invitations',
    access: 'admin',
    reply: z.array(invitationSchema),
  }),
  /** 409 `invitations-full` while a hundred are open. */
  create: call({
    method: 'POST',
    path: '/api/admin/invitations',
    access: 'admin',
    fresh: true,
    status: 201,
    optionalBody: true,
    body: z.object({
      days: z.optional(
        clear(
          'after how many days an invitation expires',
          z.int().check(z.minimum(1), z.maximum(INVITATION_DAYS_MAX)),
        ),
      ),
    }),
    /** The secret is told this once, and kept as a hash. */
    reply: z.object({ ...invitationSchema.shape, secret: credential('an invitation', z.string()) }),
  }),
  revoke: call({
    method: 'DELETE',
    path: '/api/admin/invitations/{id}',
    access: 'admin',
    fresh: true,
    status: 204,
  }),
  /** Revokes every open one. */
  revokeAll: call({
    method: 'DELETE',
    path: '/api/admin/invitations',
    access: 'admin',
    fresh: true,
    reply: z.object({ revoked: clear('how many invitations were revoked', z.int()) }),
  }),
};
