// What a browser that must not open its vault at once finds out first: which key the server shows, and whether it may
// follow the one that was seen last here.
import type { User } from '../../../shared/nouns/account.ts';
import { type VaultKeyRecord, vaultKey } from '../../../shared/nouns/vault-key.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';
import { follows, type Judgement, judgeEnvelope } from '../../../vault/keys/succession.ts';
import { loadPin } from '../device/key-pin.ts';
import { findKey } from './next-key.ts';
import { KeyNotFollowing, keepOpenedKey } from './open-envelope.ts';

/** A key that does not follow the one that was seen last. `none`: the server denies that there is one. */
export interface Refused {
  why: Judgement | 'none';
  /** What the server shows; null for no key. */
  kept: VaultKeyRecord | null;
  /** Keeps it all the same; null where the key has to be brought back first. */
  accept: (() => Promise<void>) | null;
}

export type Look =
  /** This browser had the key, and its envelope is right: it is kept, and opens the vault now. */
  | { state: 'opened' }
  /** The key has to be brought back by one of its ways. */
  | { state: 'locked'; kept: VaultKeyRecord }
  | { state: 'refused'; refused: Refused };

/** @throws EnvelopeMismatch when the envelope is not this browser's key's; ApiError, TypeError */
export async function lookAtKey(api: ApiClient, { id: uid }: User): Promise<Look> {
  const kept = await api.send(vaultKey.get, {});
  const pin = loadPin(uid);
  if (!kept) {
    if (pin) return { state: 'refused', refused: { why: 'none', kept, accept: null } };
    throw new TypeError('The server names a key and does not have it.');
  }
  const key = await findKey(uid, kept.clientKey.fingerprint);
  if (key) {
    try {
      await keepOpenedKey(uid, kept, key);
      return { state: 'opened' };
    } catch (error) {
      if (error instanceof KeyNotFollowing) return notFollowing(kept, error);
      throw error;
    }
  }
  const why = await judgeEnvelope(pin, kept.clientKey);
  // One that nobody here vouches for may turn out to have the seen one in its ring: it is opened first.
  if (follows(why) || why === 'unvouched') return { state: 'locked', kept };
  return { state: 'refused', refused: { why, kept, accept: null } };
}

/** The same for a key that was just brought back. */
export const notFollowing = (kept: VaultKeyRecord, { judgement, accept }: KeyNotFollowing): Look => ({
  state: 'refused',
  refused: { why: judgement, kept, accept },
});
