// What an address says that carries a secret behind `#`. Pure, so that every way in which mail programs bend links can
// be tried. The secret is for this browser alone and is never sent with an address.
import { fromBase64Url } from '../../../crypto/base64.ts';

export interface SecretLink {
  /** What the path calls; null when it names nothing of this kind. Empty where the path has no name in it. */
  name: string | null;
  /** What stands behind `#`, or null when it is missing or not whole. */
  secret: string | null;
  /** The secret, or a part of it, stood where browsers send it: `#` had become `%23`. */
  exposed: boolean;
}

/** Programs glue full stops, brackets and tracking words to a link's end; none of them belongs to the secret. */
const SECRET = /^[A-Za-z0-9_-]+/;
const SECRET_BYTES = [32];

/** 16 random bytes, as links are named by. */
export const RANDOM_NAME = /^[A-Za-z0-9_-]{22}$/;

/**
 * @param prefix the path before the name, such as `/share/`
 * @param named what the name must look like
 * @param sizes how many bytes the secret may have
 */
export function readSecretLink(
  { pathname, hash }: Pick<Location, 'pathname' | 'hash'>,
  prefix: string,
  named: RegExp = RANDOM_NAME,
  sizes: readonly number[] = SECRET_BYTES,
): SecretLink {
  const [path = '', glued] = pathname.split(/%(?:25)*23(.*)/is);
  const name = path.startsWith(prefix) ? path.slice(prefix.length) : null;
  return {
    name: name !== null && named.test(name) ? name : null,
    secret: readSecret(hash.slice(1), sizes) ?? readSecret(glued ?? '', sizes),
    exposed: Boolean(glued),
  };
}

function readSecret(text: string, sizes: readonly number[]): string | null {
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // A stray per cent sign: taken as it stands.
  }
  const secret = SECRET.exec(plain)?.[0];
  if (secret === undefined) return null;
  try {
    return sizes.includes(fromBase64Url(secret).length) ? secret : null;
  } catch {
    return null;
  }
}
