// The vault address: what one vault calls another by. It must never be taken from a server's answer unrecomputed.
import { toHex } from './base64.ts';
import { utf8 } from './encoding.ts';

const RECIPIENT = /^age1pq1[a-z0-9]{1952}$/;
const VERIFYING_KEY = /^[A-Za-z0-9+/]{1750}==$/;

/**
 * The first 32 hexadecimal characters (16 bytes) of SHA-256 over the recipient's text followed by the base64 of the
 * verifying key. Both have fixed lengths, which makes the seam unambiguous; a TypeError is thrown for any other.
 */
export async function vaultAddress(recipient: string, verifyingKey: string): Promise<string> {
  if (!RECIPIENT.test(recipient) || !VERIFYING_KEY.test(verifyingKey)) {
    throw new TypeError('Not the public keys of a vault');
  }
  const digest = await crypto.subtle.digest('SHA-256', utf8(recipient + verifyingKey));
  return toHex(new Uint8Array(digest, 0, 16));
}
