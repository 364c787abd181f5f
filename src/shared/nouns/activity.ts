// Account activity: what happened around an account that its owner may want to know. It names no address.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { timestamp } from '../http/wire.ts';

/** How many rows of each group are kept; a flood of one group pushes out none of another. */
export const activityGroups = {
  signIns: { kept: 100, kinds: ['account-created', 'sign-in', 'new-device'] },
  failures: { kept: 50, kinds: ['failed-sign-in', 'failed-proof'] },
  findings: { kept: 50, kinds: ['book-went-back', 'book-other-history', 'book-other-rows'] },
  releases: {
    kept: 50,
    kinds: ['export', 'link-opened', 'scroll-opened', 'vault-asked-for', 'vault-opened-by-guardians'],
  },
  changes: {
    kept: 100,
    kinds: [
      'key-made',
      'key-replaced',
      'passphrase-set',
      'passphrase-removed',
      'passkey-added',
      'passkey-removed',
      'way-back-added',
      'words-kept',
      'session-ended',
      'other-sessions-ended',
      'texts-permitted',
      'texts-refused',
      'became-admin',
      'account-erased',
      'sign-up-changed',
      'invitation-made',
      'invitation-revoked',
      'invitations-revoked',
      'wallet-linked',
      'wallet-unlinked',
      'webhook-made',
      'webhook-secret-replaced',
      'webhook-revoked',
      'guardian-kit-made',
      'guardian-kit-removed',
    ],
  },
} as const;

type Group = (typeof activityGroups)[keyof typeof activityGroups];
export type ActivityKind = Group['kinds'][number];

export const activityKinds = Object.values(activityGroups).flatMap(
  ({ kinds }): readonly ActivityKind[] => kinds,
);

/** For how long a row is kept. */
export const ACTIVITY_DAYS = 400;

export const activitySchema = z.object({
  id: clear('an activity’s number', z.int()),
  kind: clear('what happened in your account', z.enum(activityKinds)),
  way: z.nullable(
    clear(
      'which way of signing in or recovery it was about',
      z.enum(['passkey', 'passphrase', 'words', 'oidc']),
    ),
  ),
  device: clear('which browser and system it happened on', z.string()),
  /** The last time, where it happened more than once. */
  at: clear('when something happened in your account', timestamp),
  count: clear('how often it happened within an hour', z.int()),
});
export type Activity = z.output<typeof activitySchema>;

export const activity = {
  list: call({ method: 'GET', path: '/api/activity', access: 'signed-in', reply: z.array(activitySchema) }),
  /** An export is made in the browser, so that it was made is the browser's own word. */
  noteExport: call({ method: 'POST', path: '/api/activity/exports', access: 'signed-in', status: 204 }),
};
