// Whispers: what other vaults have left for this one, and how a vault is found by its address to whisper to it.
// docs/legacy.md tells the whole.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, open } from '../http/field-classes.ts';
import { createdAt, entryId, pageQuery, sealReply } from '../http/wire.ts';
import { encryptedContent } from './legacy.ts';
import {
  openedAt,
  recipientPublicId,
  releasedAt,
  VAULT_ADDRESS,
  whisperEnvelope,
} from './scroll-recipients.ts';

/**
 * How many whispers lie in one vault unread: of one author, and of all together. Others are held back until its owner has
 * read or deleted some.
 */
export const WHISPERS_PER_AUTHOR = 20;
export const WHISPERS_PER_VAULT = 1000;

const vaultAddress = open(
  'a vault’s public address',
  z.string().check(z.maxLength(32), z.regex(VAULT_ADDRESS)),
);

export const whisperSchema = z.object({
  id: entryId,
  publicId: recipientPublicId,
  /** `card`: its key was never sealed to this vault, and only the key card opens it. */
  access: clear('how a legacy scroll is opened', z.enum(['vault', 'card', 'passphrase', 'none'])),
  releasedAt,
  openedAt: z.nullable(openedAt),
});
export type Whisper = z.output<typeof whisperSchema>;

/** What other vaults have left for this one. A whisper that was not released is not told of. */
export const whispers = {
  list: call({
    method: 'GET',
    path: '/api/whispers',
    access: 'signed-in',
    query: pageQuery,
    reply: z.array(whisperSchema),
  }),
  /** Marks it opened; it stays until it is deleted. 404 for whispers that are sealed to no vault. */
  open: call({
    method: 'POST',
    path: '/api/whispers/{publicId}/open',
    access: 'signed-in',
    reply: z.object({
      encryptedContent,
      envelope: whisperEnvelope,
      /** The address that the sender wrote to; an older one where this vault has changed its key since. */
      recipientAddress: vaultAddress,
      sealId: sealReply.sealId,
      createdAt,
      releasedAt,
      openedBefore: z.nullable(openedAt),
    }),
  }),
  /**
   * Takes it out of this vault for good. Its author keeps the scroll, and is not told; one whose author's vault is gone is
   * erased, as soon as nobody is to be told after its recipient.
   */
  remove: call({
    method: 'DELETE',
    path: '/api/whispers/{publicId}',
    access: 'signed-in',
    status: 204,
  }),
};

/** Finding a vault by its address, to whisper to it. The asking browser makes the address anew from what it is told. */
export const vaults = {
  find: call({
    method: 'GET',
    path: '/api/vaults/{address}',
    access: 'signed-in',
    reply: z.object({
      generation: open('how many keys a vault has had', z.int()),
      recipient: open('a vault’s public address for sealing', z.string()),
      verifyingKey: open('a vault’s public verifying key', z.string()),
      signature: open('a vault’s signature over its public keys', z.string()),
    }),
  }),
};
