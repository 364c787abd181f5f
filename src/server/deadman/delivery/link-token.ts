// The number in a mail's link that counts for one press: the message's own, and a proof that this server made it. No
// row holds it, so that whoever reads the database can press nothing.
import { timingSafeEqual } from 'node:crypto';
import type { Digests } from '../../digests.ts';

const ID_BYTES = 16;
const PROOF_BYTES = 16;

const proofOf = (digests: Digests, publicId: string): Buffer =>
  Buffer.from(digests.keyed('press', publicId), 'hex').subarray(0, PROOF_BYTES);

/** 43 characters of base64url: 16 bytes of the message's public id and 16 of HMAC-SHA-256 under the instance secret. */
export function linkToken(digests: Digests, publicId: string): string {
  return Buffer.concat([Buffer.from(publicId, 'base64url'), proofOf(digests, publicId)]).toString(
    'base64url',
  );
}

/** The public id of the message that a token belongs to; null for one that this server did not make. */
export function readLinkToken(digests: Digests, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ID_BYTES + PROOF_BYTES) return null;
  const publicId = bytes.subarray(0, ID_BYTES).toString('base64url');
  return timingSafeEqual(bytes.subarray(ID_BYTES), proofOf(digests, publicId)) ? publicId : null;
}
