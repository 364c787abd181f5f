// What happens to the vault key in the moment somebody has come through the gate with a secret in hand. Failures
// here never undo the sign-in: the Unlock screen, or the making of a key, comes next. No key is made here.
import { fromHex } from '../../../crypto/base64.ts';
import { OpenError } from '../../../crypto/errors.ts';
import { fingerprintOf } from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/nouns/account.ts';
import { vaultKey } from '../../../shared/nouns/vault-key.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';
import { answerRefused } from '../../../vault/api/api-error.ts';
import { loadKey } from '../../vault/device/key-slot.ts';
import { noteOpened } from '../../vault/device/methods-set-here.ts';
import type { WrappingWay } from '../../vault/key/establish-key.ts';
import {
  DamagedWrap,
  findWrap,
  KeyNotFollowing,
  keepOpenedKey,
  openByWrap,
} from '../../vault/key/open-envelope.ts';

/** Opens the vault with what the way yielded, unless this browser holds the key already. */
export async function afterEntering(api: ApiClient, user: User, way: WrappingWay | null): Promise<void> {
  // Without one the vault's own door asks what to do. So it does where the server says that there is no key: of an account
  // that was there before, only its owner knows whether that is true (vault/key/unfinished-vault.tsx).
  if (!way || user.keyFingerprint === null) return;
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
    const isSaidThere =
      error instanceof OpenError || error instanceof DamagedWrap || error instanceof KeyNotFollowing;
    if (!isSaidThere) throw error;
  }
}

const DENIED =
  'These words signed you in, so the server knows their key; and now it says that your vault has none. Nothing was opened or made. Do not go on here until you know why.';

/** Keeps the key that the words spelt. @throws ApiError where the server denies that there is one */
export async function afterWords(api: ApiClient, user: User, key: Uint8Array): Promise<void> {
  const kept = await api.send(vaultKey.get, {});
  if (!kept) throw answerRefused(DENIED);
  try {
    await keepOpenedKey(user.id, kept, key);
    if (user.wordsKeptAt !== null) noteOpened(user.id, kept.clientKey.fingerprint, { words: true });
  } catch (error) {
    // The Unlock screen says what it is.
    if (!(error instanceof KeyNotFollowing)) throw error;
  }
}
