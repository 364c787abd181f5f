// What a link with a passphrase proves and opens: the passphrase is stretched first. A link without one needs none of this.
import { deriveShare, type Share, shareSalt } from '../../crypto/claim.ts';
import type { StretchParams } from '../../crypto/passphrase.ts';
import type { Stretch } from '../keys/stretch.ts';

/**
 * Both proofs of a link and its content key; stretching takes about half a second.
 * @param stretching null for a link without a passphrase
 * @throws RangeError when the parameters are weaker than this browser accepts
 */
export async function deriveLink(
  secret: Uint8Array,
  passphrase: string,
  stretching: StretchParams | null,
  stretch: Stretch,
): Promise<Share> {
  if (stretching === null) return deriveShare(secret, null);
  return deriveShare(secret, await stretch(passphrase, await shareSalt(secret), stretching));
}
