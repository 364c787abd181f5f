// Who may create an account: the mode that holds, and what somebody brings who was invited.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, credential } from '../http/field-classes.ts';

export const signUpModes = ['open', 'invitation', 'closed'] as const;
export type SignUpMode = (typeof signUpModes)[number];

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
