// What happens to the vault key in the moment somebody has come through the gate with a secret in hand. Failures
// here never undo the sign-in: the Unlock screen, or the making of a key, comes next. No key is made here without a
// secret to wrap it under.
import { fromHex } from '../../../crypto/base64.ts';
import { OpenError } from '../../../crypto/errors.ts';
import { fingerprintOf } from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/nouns/account.ts';
import { vaultKey } from '../../../shared/nouns/vault-key.ts';
import type { ApiClient } from '../../api/client.ts';
import { establishKey, type WrappingWay } from '../../vault/key/establish-key.ts';
import { loadPin } from '../../vault/key/key-pin.ts';
import { loadKey } from '../../vault/key/key-slot.ts';
import { findWrap, KeyNotFollowing, keepOpenedKey, openByWrap } from '../../vault/key/open-envelope.ts';

/** Opens the vault with what the way yielded, unless this browser holds the key already. */
export async function afterEntering(api: ApiClient, user: User, way: WrappingWay | null): Promise<void> {
  // Without one the vault's own door asks what to do (vault/key/unfinished-vault.tsx).
  if (!way) return;
  if (user.keyFingerprint === null) {
    // This browser has seen a key of this vault: what happened to it is asked first, on the Unlock screen.
    if (loadPin(user.id)) return;
    await establishKey(api, user, way, null);
    return;
  }
  const here = loadKey(user.id);
  if (here && (await fingerprintOf(fromHex(here))) === user.keyFingerprint) return;
  const kept = await api.send(vaultKey.get, {});
  const wrap =
    kept &&
    findWrap(
      kept.clientKey,
      way.method === 'passkey' ? { credentialId: way.params.credentialId } : 'passphrase',
    );
  if (!kept || !wrap) return;
  try {
    await openByWrap(user.id, kept, wrap, way.secret);
  } catch (error) {
    // The Unlock screen offers the other ways, and says what is wrong.
    if (!(error instanceof OpenError || error instanceof KeyNotFollowing)) throw error;
  }
}

/** Keeps the key that the words spelt. */
export async function afterWords(api: ApiClient, user: User, key: Uint8Array): Promise<void> {
  const kept = await api.send(vaultKey.get, {});
  if (!kept) return;
  try {
    await keepOpenedKey(user.id, kept, key);
  } catch (error) {
    // The Unlock screen says what it is.
    if (!(error instanceof KeyNotFollowing)) throw error;
  }
}
