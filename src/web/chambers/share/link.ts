// What an address says of a one-time link. Pure, so that every way in which mail programs bend links can be tried.
import { shareSecretFromText } from '../../../crypto/claim.ts';

export interface OneTimeLink {
  /** Null when the address names no link at all. */
  keyId: string | null;
  /** What stands behind `#`, or null when it is missing or not whole. */
  secret: string | null;
  /** The secret, or a part of it, stood where browsers send it: `#` had become `%23`. */
  exposed: boolean;
}

const KEY_ID = /^[A-Za-z0-9_-]{22}$/;
/** Programs glue full stops, brackets and tracking words to a link's end; none of them belongs to the secret. */
const SECRET = /^([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/;

export function readLink({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): OneTimeLink {
  const [keyId = '', glued] = pathname.replace(/^\/share\//, '').split(/%(?:25)*23(.*)/is);
  return {
    keyId: KEY_ID.test(keyId) ? keyId : null,
    secret: readSecret(hash.slice(1)) ?? readSecret(glued ?? ''),
    exposed: Boolean(glued),
  };
}

function readSecret(text: string): string | null {
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // A stray per cent sign: taken as it stands.
  }
  const secret = SECRET.exec(plain)?.[1];
  if (secret === undefined) return null;
  try {
    shareSecretFromText(secret);
    return secret;
  } catch {
    return null;
  }
}
