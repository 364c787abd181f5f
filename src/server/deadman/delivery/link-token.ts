// The numbers in links that nobody but a server with the instance secret can make: what they name, and a proof. No row holds
// one, so that whoever reads the database can press nothing.
import { timingSafeEqual } from 'node:crypto';
import type { Digests } from '../../digests.ts';

const ID_BYTES = 16;
const PROOF_BYTES = 16;

/**
 * What a token is for: a press that ends the reminders to a recipient, the rehearsals, or an author's yearly mails about these; one that postpones an author's letters,
 * one by which a trusted contact is one no more, or a look of a server at its own address.
 */
export type LinkPurpose =
  | 'stop-reminders'
  | 'stop-rehearsals'
  | 'stop-yearly'
  | 'postpone'
  | 'decline-contact'
  | 'outside-look';

const proofOf = (digests: Digests, purpose: LinkPurpose | PressPurpose, what: Buffer): Buffer =>
  Buffer.from(digests.keyed(purpose, what.toString('base64url')), 'hex').subarray(0, PROOF_BYTES);

const sign = (digests: Digests, purpose: LinkPurpose | PressPurpose, what: Buffer): string =>
  Buffer.concat([what, proofOf(digests, purpose, what)]).toString('base64url');

/** What a token was made of; null for one that no server with this secret made, or not for this. */
function read(
  digests: Digests,
  purpose: LinkPurpose | PressPurpose,
  token: string,
  length: number,
): Buffer | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== length + PROOF_BYTES) return null;
  const what = bytes.subarray(0, length);
  return timingSafeEqual(bytes.subarray(length), proofOf(digests, purpose, what)) ? what : null;
}

/** 43 characters of base64url: 16 bytes of a public id, and 16 of HMAC-SHA-256 under the instance secret. */
export const linkToken = (digests: Digests, publicId: string, purpose: LinkPurpose): string =>
  sign(digests, purpose, Buffer.from(publicId, 'base64url'));

/** As `linkToken`, for an account instead of a message or a recipient. @param uid its number, a UUID */
export const accountToken = (digests: Digests, uid: string, purpose: LinkPurpose): string =>
  sign(digests, purpose, bytesOfUid(uid));

/** The number of the account that a token belongs to; null as of `readLinkToken`. */
export function readAccountToken(digests: Digests, token: string, purpose: LinkPurpose): string | null {
  const what = read(digests, purpose, token, ID_BYTES);
  return what && uidOf(what);
}

const bytesOfUid = (uid: string): Buffer => Buffer.from(uid.replaceAll('-', ''), 'hex');
const uidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The public id that a token belongs to; null for one that this server did not make, or not for this. */
export const readLinkToken = (digests: Digests, token: string, purpose: LinkPurpose): string | null =>
  read(digests, purpose, token, ID_BYTES)?.toString('base64url') ?? null;

/** What a press answers: only a warning's counts at a server that has no row of its message. */
export type PressPurpose = 'press-warning' | 'prove-address';

/** Whose message asks for a press, and for what. */
export interface PressLink {
  purpose: PressPurpose;
  /** The message's public id. */
  publicId: string;
  /** The account's number, a UUID: a server that has the secret, and another database, knows by it who has pressed. */
  uid: string;
}

/** 64 characters of base64url: as `linkToken`, with 16 bytes of the account's number between. */
export const pressToken = (digests: Digests, { purpose, publicId, uid }: PressLink): string =>
  sign(digests, purpose, Buffer.concat([Buffer.from(publicId, 'base64url'), bytesOfUid(uid)]));

/** What a token for a press belongs to; null for one that no server with this secret made. */
export function readPressToken(digests: Digests, token: string): PressLink | null {
  for (const purpose of ['press-warning', 'prove-address'] as const) {
    const what = read(digests, purpose, token, 2 * ID_BYTES);
    if (!what) continue;
    const publicId = what.subarray(0, ID_BYTES).toString('base64url');
    return { purpose, publicId, uid: uidOf(what.subarray(ID_BYTES)) };
  }
  return null;
}
