// Making a vault's first key, or another after everything was lost. The key is put into this browser before its
// envelope is sent: a lost answer must not lose the key.
import { fromHex } from '../../crypto/base64.ts';
import { fingerprintOf, generateVaultKey, vaultKeyToHex } from '../../crypto/vault-key.ts';
import { type WrapMethod, wrapVaultKey } from '../../crypto/wrap.ts';
import type { User } from '../../shared/account.ts';
import { vaultKey } from '../../shared/vault-key.ts';
import { ApiError, send } from '../api/client.ts';
import { forgetKey, keepKey, loadKey } from './key-slot.ts';

/** A way in that can also wrap the key, with its secret. */
export type WrappingWay = WrapMethod & { secret: Uint8Array };

/**
 * Gives an account its vault key and keeps it in this browser.
 * @param way the way by which its owner has just come in, if it can wrap the key
 * @param previous the fingerprint that is given up, or null for the first key
 * @returns the key's fingerprint, or null when another tab or device was faster: unlock with that key instead
 */
export async function establishKey(
  user: Pick<User, 'id'>,
  way: WrappingWay | null,
  previous: string | null,
): Promise<string | null> {
  // A key that an interrupted attempt left here, whose envelope may or may not have arrived.
  const left = previous === null ? loadKey(user.id) : null;
  const key = left ? fromHex(left) : generateVaultKey();
  const fingerprint = await fingerprintOf(key);
  keepKey(user.id, vaultKeyToHex(key));
  const { createClientKey } = await import('../../crypto/client-key.ts');
  const clientKey = await createClientKey(key);
  const wraps = way ? [await wrap(key, way)] : [];
  try {
    await send(vaultKey.put, { body: { clientKey: { ...clientKey, wraps }, previousFingerprint: previous } });
    return fingerprint;
  } catch (error) {
    if (error instanceof ApiError) forgetKey(user.id);
    if (error instanceof ApiError && error.code === 'key-changed') return null;
    throw error;
  }
}

/** Wraps a key for one way back. */
export function wrap(key: Uint8Array, { secret, ...method }: WrappingWay) {
  return wrapVaultKey(key, secret, method as WrapMethod);
}
