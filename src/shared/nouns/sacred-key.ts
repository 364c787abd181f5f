// Sacred keys: one-time links to one entry, for whoever holds the link. The owner's calls and the recipient's.
// docs/formats.md, "Share", says what is in a link and what the two proofs are.

import * as z from 'zod/mini';
import { FILES_OF_ENTRY_MAX } from '../file-limits.ts';
import { call } from '../http/call.ts';
import { clear, credential, open, sealed } from '../http/field-classes.ts';
import { base64url, createdAt, entryId, pageQuery, sealFields, sealReply, timestamp } from '../http/wire.ts';
import { ENTRY_CONTENT_MAX, type ShareableKind, sealedKinds, shareableKinds } from '../sealed-kinds.ts';
import { ENTRY_BODY_LIMIT } from './entry-calls.ts';

/** What a form offers. */
export const shareHours = [1, 24, 168, 720] as const;
export const SHARE_HOURS_DEFAULT = 168;
const SHARE_HOURS_MAX = 720;

export type ShareEntryType = ShareableKind;
export const shareEntryTypes = shareableKinds(sealedKinds);

const keyId = open('the number in a one-time link', base64url(16));
const entryType = clear(
  'which kind of entry a one-time link leads to',
  z.enum(shareEntryTypes as [ShareEntryType, ...ShareEntryType[]], 'This kind of entry cannot be shared.'),
);
const expiresAt = clear('until when a one-time link opens', timestamp);
/** How a share's passphrase is stretched; the salt comes from the link's secret and is never sent. */
const stretching = z.object({
  memory: open(
    'how a one-time link’s passphrase is stretched',
    z.int().check(z.minimum(8), z.maximum(2 ** 22)),
  ),
  iterations: open(
    'how a one-time link’s passphrase is stretched',
    z.int().check(z.minimum(1), z.maximum(64)),
  ),
  parallelism: open(
    'how a one-time link’s passphrase is stretched',
    z.int().check(z.minimum(1), z.maximum(16)),
  ),
});
export type ShareStretching = z.output<typeof stretching>;

const sharedContent = sealed('an entry, sealed again for whoever holds its one-time link', ENTRY_CONTENT_MAX);
const { encryptedSecret } = sealedKinds['sacred-key'].fields;

export const shareableKeySchema = z.object({
  id: entryId,
  keyId,
  entryType,
  entryId: clear('which entry a one-time link leads to', z.int()),
  hasBeenUsed: clear('whether a one-time link was opened', z.boolean()),
  expiresAt,
  createdAt,
  openedAt: z.nullable(clear('when a one-time link was opened', timestamp)),
  /** False until the browser has sealed the entry for its recipient; until then the link opens nothing. */
  sealed: clear('whether a one-time link is ready', z.boolean()),
  hasPassphrase: clear('whether a one-time link has a passphrase', z.boolean()),
  encryptedSecret: z.nullable(encryptedSecret),
  ...sealReply,
});
export type ShareableKey = z.output<typeof shareableKeySchema>;

export const shareableKeyInput = z.object({
  entryType,
  entryId: clear('which entry a one-time link leads to', z.int().check(z.positive())),
  /** Absent: `SHARE_HOURS_DEFAULT`. */
  expiresInHours: z.nullish(
    clear(
      'how long a one-time link opens',
      z
        .int('A number of hours is a whole number.')
        .check(
          z.minimum(1, 'A link opens for an hour at least.'),
          z.maximum(SHARE_HOURS_MAX, 'A link opens for 720 hours at most.'),
        ),
    ),
  ),
});
export type ShareableKeyInput = z.output<typeof shareableKeyInput>;

export const sealInput = z.object({
  encryptedContent: sharedContent,
  /** SHA-256 of the proof that comes from the link alone. */
  doorHash: open('a hash of the proof that a link is whole', base64url(32)),
  /** SHA-256 of the proof that comes from the link and its passphrase. */
  claimHash: open('a hash of the proof that opens a one-time link', base64url(32)),
  /** Null for a link without a passphrase. */
  stretching: z.nullable(stretching),
  encryptedSecret,
  /**
   * The numbers of files that the link carries: whole ones of this account, whether an entry has them or they belong to the
   * link itself, by its `sealId`. Their keys stand in what is sealed. Absent: none.
   */
  files: z.optional(
    z.array(open('which files a one-time link carries', base64url(16))).check(
      z.maxLength(FILES_OF_ENTRY_MAX, `A link carries ${FILES_OF_ENTRY_MAX} files at most.`),
      z.refine((ids) => new Set(ids).size === ids.length, 'A link carries each file once.'),
    ),
  ),
  ...sealFields,
});
export type SealInput = z.output<typeof sealInput>;

export const shareableKeys = {
  list: call({
    method: 'GET',
    path: '/api/shareable-keys',
    access: 'signed-in',
    query: pageQuery,
    reply: z.array(shareableKeySchema),
  }),
  /** Reserves a key; it opens nothing until `seal`. */
  create: call({
    method: 'POST',
    path: '/api/shareable-keys',
    access: 'signed-in',
    status: 201,
    body: shareableKeyInput,
    reply: z.extend(shareableKeySchema, {
      shareUrl: open('the address of a one-time link, without its secret', z.url()),
    }),
  }),
  /** 409 `file-incomplete` where one of the files that it is to carry is not there, or not whole. */
  seal: call({
    method: 'PUT',
    path: '/api/shareable-keys/{id}/seal',
    access: 'signed-in',
    inBook: true,
    bodyLimit: ENTRY_BODY_LIMIT,
    body: sealInput,
    reply: shareableKeySchema,
  }),
  /** Revokes an active key, or takes a spent one off the list. Nothing of it stays. */
  remove: call({
    method: 'DELETE',
    path: '/api/shareable-keys/{id}',
    access: 'signed-in',
    inBook: true,
    status: 204,
  }),
};

const door = credential('the proof that a one-time link is whole', base64url(32));
const claim = credential('the proof that opens a one-time link', base64url(32));
/** Made by the browser that breaks a seal; with it, and only with it, the words can be fetched again. */
export const redemptionId = credential('a random number of the browser that opens', base64url(16));

export const shares = {
  /** Burns nothing, counts nothing. `unsealed`: reserved, and its owner's browser has not brought the words yet. */
  state: call({
    method: 'GET',
    path: '/api/shares/{keyId}',
    access: 'anyone',
    reply: z.object({
      state: clear('whether a one-time link still opens', z.enum(['unsealed', 'waiting', 'used', 'expired'])),
      /** Null where no passphrase is wanted. */
      stretching: z.nullable(stretching),
    }),
  }),
  redeem: call({
    method: 'POST',
    path: '/api/shares/{keyId}/redeem',
    access: 'anyone',
    limited: 'guesses',
    body: z.object({ door, claim, redemptionId }),
    reply: z.object({
      encryptedContent: sharedContent,
      leaseUntil: clear('until when the browser that opened may fetch again', timestamp),
    }),
  }),
  /**
   * Says that the words were opened: the server forgets them at once. Files of the link can be fetched for
   * `FILES_LEASE` after its opening all the same (`files.readByLink`).
   */
  acknowledge: call({
    method: 'POST',
    path: '/api/shares/{keyId}/acknowledge',
    access: 'anyone',
    status: 204,
    body: z.object({ door, redemptionId }),
  }),
};

export type ShareState = 'active' | 'used' | 'expired' | 'unsealed';

/** Which badge a key wears in its owner's list; `now` is epoch milliseconds. */
export function shareState(
  key: Pick<ShareableKey, 'hasBeenUsed' | 'expiresAt' | 'sealed'>,
  now: number,
): ShareState {
  if (key.hasBeenUsed) return 'used';
  if (Date.parse(key.expiresAt) <= now) return 'expired';
  return key.sealed ? 'active' : 'unsealed';
}
