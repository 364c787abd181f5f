// What both ends of a one-time link do: the chamber that makes it and the page that opens it (docs/formats.md, "Share").
import * as z from 'zod/mini';
import { deriveShare, type Share, shareSalt } from '../../../crypto/claim.ts';
import { OpenError } from '../../../crypto/errors.ts';
import type { StretchParams } from '../../../crypto/passphrase.ts';
import { open, seal } from '../../../crypto/seal.ts';
import type { ShareEntryType } from '../../../shared/nouns/sacred-key.ts';
import { stretchPassphrase } from '../key/passphrase-secret.ts';

// Kinds and weights are not judged here: words that came through must not be lost over a kind that is not known yet.
/** A reader wants to know when it was. Its author's tags are for finding it again, and do not go along. */
const happenedOn = z.optional(z.string());

const sharedEntries = {
  memory: z.object({
    v: z.literal(1),
    entryType: z.literal('memory'),
    title: z.string(),
    content: z.string(),
    happenedOn,
    createdAt: z.string(),
  }),
  relationship: z.object({
    v: z.literal(1),
    entryType: z.literal('relationship'),
    personName: z.string(),
    /** Both are absent where its author's browser could not know them. */
    eventType: z.optional(z.string()),
    emotionalWeight: z.optional(z.number()),
    content: z.string(),
    happenedOn,
    createdAt: z.string(),
  }),
  myth: z.object({
    v: z.literal(1),
    entryType: z.literal('myth'),
    title: z.string(),
    storyType: z.string(),
    content: z.string(),
    happenedOn,
    createdAt: z.string(),
  }),
} satisfies Record<ShareEntryType, z.ZodMiniType>;
const sharedEntrySchema = z.discriminatedUnion('entryType', [
  sharedEntries.memory,
  sharedEntries.relationship,
  sharedEntries.myth,
]);
/** An entry as its recipient reads it. */
export type SharedEntry = z.output<typeof sharedEntrySchema>;

const contextOf = (keyId: string) => ({ kind: 'share', field: 'encryptedContent', sealId: keyId });

/** Seals an entry for whoever holds the link. @throws SealError */
export function sealShared(entry: SharedEntry, contentKey: CryptoKey, keyId: string): Promise<string> {
  return seal(JSON.stringify(entry), contentKey, contextOf(keyId));
}

/** Opens what `sealShared` made. @throws OpenError, also for an entry of a shape that is not known here */
export async function openShared(sealed: string, contentKey: CryptoKey, keyId: string): Promise<SharedEntry> {
  const text = await open(sealed, contentKey, contextOf(keyId));
  try {
    return z.parse(sharedEntrySchema, JSON.parse(text));
  } catch {
    throw new OpenError();
  }
}

/**
 * Both proofs of a link and its content key; a passphrase is stretched first (about half a second).
 * @param stretching null for a link without a passphrase
 * @throws RangeError when the parameters are weaker than this browser accepts
 */
export async function deriveLink(
  secret: Uint8Array,
  passphrase: string,
  stretching: StretchParams | null,
): Promise<Share> {
  if (stretching === null) return deriveShare(secret, null);
  return deriveShare(secret, await stretchPassphrase(passphrase, await shareSalt(secret), stretching));
}

/** What the recipient is given: the secret stands behind `#`, which a browser never sends. */
export const linkOf = (shareUrl: string, secret: string) => `${shareUrl}#${secret}`;
