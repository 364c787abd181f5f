// The random number under which this tab breaks a seal. It is kept until the words have arrived, so that a reload or a
// lost answer does not lose them; it opens nothing without the link.
import { newSealId } from '../../../crypto/seal.ts';
import type { ShareStretching } from '../../../shared/nouns/sacred-key.ts';
import { LEASE } from '../../../shared/share-lease.ts';

export interface Redemption {
  id: string;
  /** How the link's passphrase is stretched: a link that was used may no longer say it. */
  stretching: ShareStretching | null;
  /** When it was last tried, in epoch milliseconds by this browser's clock. */
  triedAt: number;
}

const slotOf = (keyId: string) => `latebra.redemption:${keyId}`;
/** For browsers that keep nothing. */
const inMemory = new Map<string, Redemption>();

/** The redemption that this tab has begun and that may still be heard, or null. */
export function findRedemption(keyId: string): Redemption | null {
  let redemption = inMemory.get(keyId) ?? null;
  try {
    const kept = sessionStorage.getItem(slotOf(keyId));
    if (kept !== null) redemption = JSON.parse(kept) as Redemption;
  } catch {
    // What memory has is all there is.
  }
  return redemption && Date.now() - redemption.triedAt < LEASE ? redemption : null;
}

/** The redemption of this tab, begun now if there was none. Kept before anything is sent. */
export function beginRedemption(keyId: string, stretching: ShareStretching | null): Redemption {
  const redemption = { id: findRedemption(keyId)?.id ?? newSealId(), stretching, triedAt: Date.now() };
  inMemory.set(keyId, redemption);
  try {
    sessionStorage.setItem(slotOf(keyId), JSON.stringify(redemption));
  } catch {
    // It lives on in memory, which a reload loses.
  }
  return redemption;
}

export function endRedemption(keyId: string): void {
  inMemory.delete(keyId);
  try {
    sessionStorage.removeItem(slotOf(keyId));
  } catch {
    // Nothing was kept.
  }
}
