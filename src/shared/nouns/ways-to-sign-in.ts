// What somebody signs in by besides a provider: passkeys, and a name with a passphrase.

import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, open } from '../http/field-classes.ts';
import { fingerprint, timestamp } from '../http/wire.ts';
import { authKey, newPasskey, newPasskeyOptions, signInName } from './account.ts';
import { userSchema } from './user.ts';
import { wrapInput } from './vault-key.ts';

export const passkeySchema = z.object({
  id: open('a passkey’s public number', z.string()),
  label: clear('which browser a passkey was made in', z.string()),
  opensVault: clear('whether a passkey opens your vault', z.boolean()),
  createdAt: clear('when a passkey was added', timestamp),
  lastUsedAt: z.nullable(clear('when a passkey was last used', timestamp)),
});

export type Passkey = z.output<typeof passkeySchema>;

export const passkeys = {
  list: call({ method: 'GET', path: '/api/passkeys', access: 'signed-in', reply: z.array(passkeySchema) }),
  options: call({
    method: 'POST',
    path: '/api/passkeys/options',
    access: 'signed-in',
    fresh: true,
    limited: 'session',
    reply: z.object({ options: newPasskeyOptions }),
  }),
  add: call({
    method: 'POST',
    path: '/api/passkeys',
    access: 'signed-in',
    fresh: true,
    status: 201,
    body: z.object({ response: newPasskey }),
    reply: passkeySchema,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/passkeys/{id}',
    access: 'signed-in',
    fresh: true,
    status: 204,
  }),
};

export const passphrase = {
  set: call({
    method: 'PUT',
    path: '/api/passphrase',
    access: 'signed-in',
    fresh: true,
    body: z.object({
      name: signInName,
      authKey,
      /** Refused when the vault has another key by now. */
      fingerprint: open('which key is wrapped', fingerprint),
      wrap: wrapInput,
    }),
    reply: userSchema,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/passphrase',
    access: 'signed-in',
    fresh: true,
    reply: userSchema,
  }),
};
