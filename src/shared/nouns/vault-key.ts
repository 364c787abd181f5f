// The envelope of a vault key: what the server may hold of it, which is nothing that opens anything.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { CREDENTIAL_ID_MAX, PASSKEYS_MAX } from '../http/ceremony.ts';
import type { ErrorCode } from '../http/error-codes.ts';
import { clear, open, wrapped } from '../http/field-classes.ts';
import { ageRecipient, base64, base64url, fingerprint, timestamp } from '../http/wire.ts';

const stretchingParams = z.object({
  salt: base64url(16),
  memory: z.int().check(z.minimum(8), z.maximum(4 * 1024 * 1024)),
  iterations: z.int().check(z.minimum(1), z.maximum(64)),
  parallelism: z.int().check(z.minimum(1), z.maximum(16)),
});
const passkeyParams = z.object({
  credentialId: z.string().check(z.minLength(1), z.maxLength(CREDENTIAL_ID_MAX)),
});

const common = { v: z.literal(1), salt: base64(88), commitment: base64(64), sealed: base64(256) };

/** One recovery method to the vault key (docs/formats.md, "Wrap"): the key, encrypted under a secret the server never sees. */
export const wrapSchema = z.discriminatedUnion('method', [
  z.object({ ...common, method: z.literal('passkey'), params: passkeyParams }),
  z.object({ ...common, method: z.literal('passphrase'), params: stretchingParams }),
]);
export type WrapRecord = z.output<typeof wrapSchema>;

export const wrapInput = wrapped('your key, encrypted under a passkey or a passphrase', wrapSchema);

const RAW_KEY = /^\s*(?:0x)?[0-9a-f]{64}\s*$/i;

/** A bare key sent by mistake gets an answer of its own; every other mistake an ordinary one. */
const rawKeyRefused: { error: (issue: { input?: unknown }) => string | undefined } = {
  error: ({ input }) =>
    typeof input === 'string' && RAW_KEY.test(input) ? ('raw-key-refused' satisfies ErrorCode) : undefined,
};

/** How many keys a vault has had, the one in question included. */
export const generation = open(
  'how many keys your vault has had',
  z.int().check(z.positive(), z.maximum(2 ** 31 - 1)),
);

/** Each passkey may open the vault, and the passphrase as well. */
const WRAPS_MAX = PASSKEYS_MAX + 1;

const clientKeyShape = {
  v: open('the format of your key’s envelope', z.literal(1)),
  generation,
  fingerprint: open('which key your vault has', fingerprint),
  recipient: open('your vault’s public address for sealing', ageRecipient),
  verifyingKey: open('your vault’s public verifying key', base64(4096)),
  signature: open('your vault’s signature over its public keys', base64(4096)),
  /** Null for a first key, and for one that was made without the key before. */
  succession: z.nullable(open('your former key’s signature over the one that followed', base64(4096))),
  keyCheck: wrapped('a constant sealed under your key, to recognise it', base64(1024)),
  wraps: z.array(wrapInput).check(z.maxLength(WRAPS_MAX)),
};
export const clientKeySchema = z.object(clientKeyShape, rawKeyRefused);
export type ClientKeyRecord = z.output<typeof clientKeySchema>;

export const wrapRow = z.object({
  id: clear('a wrap’s number', z.int()),
  wrap: wrapInput,
  createdAt: clear('when a recovery method was added', timestamp),
});

/**
 * The largest key ring, in characters: room for the numbers of about 145,000 seals that a change of the key could not
 * fetch, twenty-nine characters for each.
 */
export const KEY_RING_MAX = 4 * 1024 * 1024;

/** The keys that came before, as JSON, sealed under the present one (docs/formats.md, "Key ring"). */
export const keyRingSchema = z.object({
  sealId: open('a random number that ties a row to its seal', base64url(16)),
  sealed: wrapped('the keys you had before, sealed under your present key', base64(KEY_RING_MAX)),
});
export type KeyRingRecord = z.output<typeof keyRingSchema>;

export const vaultKeySchema = z.object({
  clientKey: clientKeySchema,
  /** Null while no key came before, or when the words under older keys were let burn. */
  keyRing: z.nullable(keyRingSchema),
  createdAt: clear('when your key was made', timestamp),
});
export type VaultKeyRecord = z.output<typeof vaultKeySchema>;

export const vaultKey = {
  get: call({
    method: 'GET',
    path: '/api/encryption-key',
    access: 'signed-in',
    reply: z.nullable(vaultKeySchema),
  }),
  put: call({
    method: 'POST',
    path: '/api/encryption-key',
    access: 'signed-in',
    fresh: true,
    status: 201,
    bodyLimit: KEY_RING_MAX + 128 * 1024,
    body: z.object({
      clientKey: clientKeySchema,
      /** The fingerprint that this key replaces; absent or null for the first key. */
      previousFingerprint: z.nullish(open('which key is replaced', fingerprint)),
      /** Only where a browser puts a newer key back; otherwise no older key is kept. */
      keyRing: z.nullish(keyRingSchema),
    }),
    reply: vaultKeySchema,
  }),
  addWrap: call({
    method: 'POST',
    path: '/api/encryption-key/wraps',
    access: 'signed-in',
    fresh: true,
    status: 201,
    body: z.object({ fingerprint: open('which key is wrapped', fingerprint), wrap: wrapInput }),
    reply: wrapRow,
  }),
  keepWords: call({
    method: 'POST',
    path: '/api/encryption-key/words',
    access: 'signed-in',
    fresh: true,
    body: z.object({ fingerprint: open('which key the words spell', fingerprint) }),
    reply: z.object({ wordsKeptAt: clear('when you proved that you keep the twenty-four words', timestamp) }),
  }),
};
