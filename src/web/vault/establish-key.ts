// Making a vault's first key, or another after everything was lost. The key is put into this browser before its
// envelope is sent: a lost answer must not lose the key.
import { fromHex } from '../../crypto/base64.ts';
import { fingerprintOf, generateVaultKey, vaultKeyToHex } from '../../crypto/vault-key.ts';
import { type WrapMethod, wrapVaultKey } from '../../crypto/wrap.ts';
import type { User } from '../../shared/account.ts';
import { vaultKey } from '../../shared/vault-key.ts';
import { ApiError, send } from '../api/client.ts';
import { forgetKey, keepKey, loadKey } from './key-slot.ts';
import { oneTabAtATime } from './one-tab.ts';
import { rememberKey } from './remember-key.ts';

/** A way in that can also wrap the key, with its secret. */
export type WrappingWay = WrapMethod & { secret: Uint8Array };

/**
 * Gives an account its vault key and keeps it in this browser.
 * @param way the way by which its owner has just come in, if it can wrap the key
 * @param previous the fingerprint that is given up, or null for the first key
 * @returns whether this key is the vault's; if not, another tab or device was faster: unlock with that key instead
 */
export function establishKey(
  user: Pick<User, 'id'>,
  way: WrappingWay | null,
  previous: string | null,
): Promise<boolean> {
  return oneTabAtATime(user.id, async () => {
    const before = loadKey(user.id);
    // A first key may stand here already: another tab's, or one whose envelope was sent and whose answer was lost.
    const key = before && previous === null ? fromHex(before) : generateVaultKey();
    rememberKey(user.id, vaultKeyToHex(key));
    try {
      const { createClientKey } = await import('../../crypto/client-key.ts');
      const clientKey = await createClientKey(key);
      const wraps = way ? [await wrap(key, way)] : [];
      await send(vaultKey.put, {
        body: { clientKey: { ...clientKey, wraps }, previousFingerprint: previous },
      });
      return true;
    } catch (error) {
      // Only a refusal is certain. Whatever else was answered, the envelope may have arrived, and the key stays.
      if (!(error instanceof ApiError) || error.status >= 500 || error.code === '') throw error;
      const kept = error.code === 'key-changed' ? await send(vaultKey.get, {}) : null;
      if (kept?.clientKey.fingerprint === (await fingerprintOf(key))) return true;
      if (before) keepKey(user.id, before);
      else forgetKey(user.id);
      if (error.code === 'key-changed') return false;
      throw error;
    }
  });
}

/** Wraps a key for one way back. */
export function wrap(key: Uint8Array, { secret, ...method }: WrappingWay) {
  return wrapVaultKey(key, secret, method as WrapMethod);
}
