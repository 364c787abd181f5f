// Sessions: the browsers in which somebody is signed in.

import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { timestamp } from '../http/wire.ts';

/** How many sessions an account has at most; one more ends the least recently used. */
export const SESSIONS_MAX = 50;

/** After how many days a session ends, however it is used. */
export const SESSION_DAYS_MAX = 90;

const sessionId = clear('a session’s number', z.string());

export const sessionSchema = z.object({
  id: sessionId,
  current: clear('which session is this one', z.boolean()),
  signedInBy: clear('how you signed in', z.enum(['passkey', 'passphrase', 'words', 'oidc'])),
  device: clear('which browser and system a session runs on', z.string()),
  createdAt: clear('when a session began', timestamp),
  seenAt: clear('when a session was last used', timestamp),
  expiresAt: clear('when a session ends by itself', timestamp),
});

export type Session = z.output<typeof sessionSchema>;

export const sessions = {
  list: call({ method: 'GET', path: '/api/sessions', access: 'signed-in', reply: z.array(sessionSchema) }),
  revoke: call({
    method: 'DELETE',
    path: '/api/sessions/{id}',
    access: 'signed-in',
    fresh: true,
    status: 204,
  }),
  revokeOthers: call({
    method: 'DELETE',
    path: '/api/sessions',
    access: 'signed-in',
    fresh: true,
    status: 204,
  }),
};
