// Sessions: the browsers in which somebody is signed in.

import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, message } from '../http/field-classes.ts';
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
  /**
   * Ends this one as `account.logout` does, for a page that has to know whether it came about. Where a sign-in provider began it and has a
   * place for that, the page goes on to there.
   */
  leave: call({
    method: 'POST',
    path: '/api/logout',
    access: 'anyone',
    reply: z.object({
      endsAt: z.nullable(
        message(
          'where your sign-in provider ends its own session',
          z.string().check(z.regex(/^https?:\/\/\S{1,16000}$/)),
        ),
      ),
    }),
  }),
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
