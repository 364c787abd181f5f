// Making a vault's first key, or another after everything was lost. The key is put into this browser before its
// envelope is sent: a lost answer must not lose the key.
import { fromHex } from '../../../crypto/base64.ts';
import { fingerprintOf, generateVaultKey, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import { type WrapMethod, wrapVaultKey } from '../../../crypto/wrap.ts';
import type { User } from '../../../shared/nouns/account.ts';
import { type ClientKeyRecord, vaultKey } from '../../../shared/nouns/vault-key.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';
import { ApiError } from '../../../vault/api/api-error.ts';
import { loadPin, savePin } from '../device/key-pin.ts';
import { forgetKey, keepKey, keepNextKey, loadKey } from '../device/key-slot.ts';
import { noteWrapped } from '../device/methods-set-here.ts';
import { oneTabAtATime } from '../device/one-tab.ts';
import { saveBookPin } from '../device/pin-slot.ts';
import { rememberKey } from '../device/remember-key.ts';
import { findWrap } from './open-envelope.ts';

/** A way in that can also wrap the key, with its secret. */
export type WrappingWay = WrapMethod & { secret: Uint8Array };

/**
 * Gives an account its vault key and keeps it in this browser.
 * @param way the way by which its owner has just come in, if it can wrap the key
 * @param previous the key that is given up, or null for the first key. It is not in hand, so it vouches for nothing
 * @returns whether this key is the vault's; if not, another tab or device was faster: unlock with that key instead
 */
export function establishKey(
  api: ApiClient,
  user: Pick<User, 'id'>,
  way: WrappingWay | null,
  previous: Pick<ClientKeyRecord, 'fingerprint' | 'generation'> | null,
): Promise<boolean> {
  return oneTabAtATime(user.id, async () => {
    const before = loadKey(user.id);
    // A first key may stand here already: another tab's, or one whose envelope was sent and whose answer was lost.
    const key = before && previous === null ? fromHex(before) : generateVaultKey();
    rememberKey(user.id, vaultKeyToHex(key));
    try {
      const { createClientKey } = await import('../../../crypto/client-key.ts');
      const generation = await generationFor(user.id, key, previous?.generation ?? 0);
      const clientKey = await createClientKey(key, { generation, before: null });
      const wraps = way ? [await wrap(key, way)] : [];
      const kept = await api.send(vaultKey.put, {
        body: { clientKey: { ...clientKey, wraps }, previousFingerprint: previous?.fingerprint ?? null },
      });
      savePin(user.id, { clientKey, keyRing: kept.keyRing });
      if (way) noteWrapped(user.id, clientKey.fingerprint, way);
      // Nothing was written under it: no server can hide anything of that from this browser.
      saveBookPin(user.id, { n: 0, hash: '' });
      // Another key that stood here opened nothing of what the server showed. It may be the only copy of one that did.
      if (before && before !== vaultKeyToHex(key)) keepNextKey(user.id, before);
      return true;
    } catch (error) {
      // Only a refusal is certain. Whatever else was answered, the envelope may have arrived, and the key stays: the
      // next attempt sends the same one.
      if (!(error instanceof ApiError) || error.status >= 500 || error.code === '') throw error;
      const kept = error.code === 'key-changed' ? await api.send(vaultKey.get, {}) : null;
      if (kept && kept.clientKey.fingerprint === (await fingerprintOf(key))) {
        await addMissingWrap(api, key, kept.clientKey, way);
        if (way) noteWrapped(user.id, kept.clientKey.fingerprint, way);
        return true;
      }
      if (before) keepKey(user.id, before);
      else forgetKey(user.id);
      if (error.code === 'key-changed') return false;
      throw error;
    }
  });
}

/** Which of its vault's keys one is: later than what the server has, and than what this browser has seen. */
async function generationFor(uid: string, key: Uint8Array, before: number): Promise<number> {
  const pin = loadPin(uid);
  if (pin && pin.fingerprint === (await fingerprintOf(key))) return pin.generation;
  return Math.max(pin?.generation ?? 0, before) + 1;
}

/** An envelope that has arrived by another way's hand, or another tab's, gets this way's wrap as well. */
async function addMissingWrap(
  api: ApiClient,
  key: Uint8Array,
  kept: ClientKeyRecord,
  way: WrappingWay | null,
): Promise<void> {
  if (!way || findWrap(kept, way.method === 'passkey' ? way.params : 'passphrase')) return;
  await api.send(vaultKey.addWrap, { body: { fingerprint: kept.fingerprint, wrap: await wrap(key, way) } });
}

/** Wraps a key for one recovery method. */
export function wrap(key: Uint8Array, { secret, ...method }: WrappingWay) {
  return wrapVaultKey(key, secret, method as WrapMethod);
}
