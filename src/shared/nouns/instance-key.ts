// The OpenPGP key by which an instance signs what it gives out: artifacts, and what it publishes.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { open } from '../http/field-classes.ts';

export const instanceKey = {
  /** Armored, for `gpg --import`. A key from the same server proves that something is whole, not who wrote it. */
  get: call({
    method: 'GET',
    path: '/api/public-key',
    access: 'anyone',
    text: true,
    reply: open('the OpenPGP key of this server, armored', z.string().check(z.maxLength(8000))),
  }),
};
