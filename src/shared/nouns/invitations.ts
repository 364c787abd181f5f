// One-time invitations, which an administrator makes and revokes. Apart from sign-up.ts, which everybody meets at the gate.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, credential } from '../http/field-classes.ts';
import { timestamp } from '../http/wire.ts';

export const INVITATION_DAYS = 7;
export const INVITATION_DAYS_MAX = 90;
/** How many may be open at once: neither used, nor revoked, nor expired. */
export const INVITATIONS_OPEN_MAX = 100;

export const INVITED_MAX = 60;
const invited = clear('whom an invitation is for', z.string().check(z.trim(), z.maxLength(INVITED_MAX)));

export const invitationSchema = z.object({
  id: clear('an invitation’s number', z.int()),
  /** As the administrator has written it; empty for nobody in particular. */
  invited,
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
      invited: z.optional(invited),
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
