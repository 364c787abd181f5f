// What happens to the vault key in the moment somebody has come through the gate with a secret in hand. Failures
// here never undo the sign-in: the Unlock screen, or the making of a key, comes next.
import { fromHex } from '../../../crypto/base64.ts';
import { OpenError } from '../../../crypto/errors.ts';
import { fingerprintOf } from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/account.ts';
import { vaultKey } from '../../../shared/vault-key.ts';
import { send } from '../../api/client.ts';
import { establishKey, type WrappingWay } from '../../vault/establish-key.ts';
import { loadKey } from '../../vault/key-slot.ts';
import { findWrap, keepOpenedKey, openByWrap } from '../../vault/open-envelope.ts';

/** Makes the vault's first key, wrapped by the way its owner came. */
export async function afterFirstTime(user: User, way: WrappingWay | null): Promise<void> {
  await establishKey(user, way, null);
}

/** Opens the vault with what the way yielded, unless this browser holds the key already. */
export async function afterEntering(user: User, way: WrappingWay | null): Promise<void> {
  if (user.keyFingerprint === null) return afterFirstTime(user, way);
  if (!way) return;
  const here = loadKey(user.id);
  if (here && (await fingerprintOf(fromHex(here))) === user.keyFingerprint) return;
  const kept = await send(vaultKey.get, {});
  const wrap =
    kept &&
    findWrap(
      kept.clientKey,
      way.method === 'passkey' ? { credentialId: way.params.credentialId } : 'passphrase',
    );
  if (!kept || !wrap) return;
  try {
    await openByWrap(user.id, kept.clientKey, wrap, way.secret);
  } catch (error) {
    // The Unlock screen offers the other ways, and says what is wrong.
    if (!(error instanceof OpenError)) throw error;
  }
}

/** Keeps the key that the words spelt. */
export async function afterWords(user: User, key: Uint8Array): Promise<void> {
  const kept = await send(vaultKey.get, {});
  if (kept) await keepOpenedKey(user.id, kept.clientKey, key);
}
