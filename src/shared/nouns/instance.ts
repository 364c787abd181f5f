// What operators ask of a server.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, message } from '../http/field-classes.ts';
import { base64url } from '../http/wire.ts';

export const instance = {
  health: call({
    method: 'GET',
    path: '/healthz',
    access: 'anyone',
    query: z.object({
      /** 16 random bytes, base64url. */
      challenge: z.optional(clear('a random number that shows who answers', base64url(16))),
    }),
    reply: z.object({
      status: message('whether the server stands', z.literal('ok')),
      /** HMAC-SHA-256 of the challenge under the secret of the instance, hex; only where one was given. */
      proof: z.optional(message('which server answers', z.string())),
    }),
  }),
  ready: call({
    method: 'GET',
    path: '/readyz',
    access: 'anyone',
    reply: z.object({ status: message('whether the server is ready', z.literal('ready')) }),
  }),
  metrics: call({ method: 'GET', path: '/metrics', access: 'anyone', navigation: true }),
};
