// What operators ask of a server.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, message } from '../http/field-classes.ts';
import { base64url } from '../http/wire.ts';

/** Mail, or text messages, cannot be sent, or files not be stored. No restart and no other server would help. */
export const degradations = ['mail', 'texts', 'files'] as const;

export const instance = {
  health: call({
    method: 'GET',
    path: '/healthz',
    access: 'anyone',
    query: z.object({
      /** 16 random bytes and 16 of their HMAC-SHA-256 under the secret of the instance, base64url. */
      challenge: z.optional(clear('a random number that shows who answers', base64url(32))),
    }),
    reply: z.object({
      status: message('whether the server stands', z.literal('ok')),
      /** Only to a challenge that a server with the same secret has made. */
      look: z.optional(
        z.object({
          /** HMAC-SHA-256 of the challenge and of what follows under the secret of the instance, hex. */
          proof: message('which server answers', z.string()),
          /** Whether a server of this database has asked. */
          isOwn: message('whether a server asks itself', z.boolean()),
          identity: message('a random number of the database', z.string()),
          epoch: message('how often an administrator has confirmed the database', z.int()),
          tick: message('how often the database has counted time', z.int()),
        }),
      ),
    }),
  }),
  ready: call({
    method: 'GET',
    path: '/readyz',
    access: 'anyone',
    reply: z.object({
      status: message('whether the server is ready', z.literal('ready')),
      /** What does not work, although the server is to be asked all the same. */
      degraded: z.array(message('what of the server does not work', z.enum(degradations))),
    }),
  }),
  metrics: call({ method: 'GET', path: '/metrics', access: 'anyone', navigation: true }),
};
