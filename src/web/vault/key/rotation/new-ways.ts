// Recovery methods to a key that is not the vault's yet. Each is tried before it counts: what it yields has opened the key.
import type { Wrap } from '../../../../crypto/wrap.ts';
import { unwrapVaultKey } from '../../../../crypto/wrap.ts';
import { gate, proof } from '../../../../shared/nouns/account.ts';
import type { ApiClient } from '../../../../vault/api/api-client.ts';
import { type WrappingWay, wrap } from '../establish-key.ts';
import { askPasskey } from '../passkey.ts';
import { derivePassphraseSecret } from '../passphrase-secret.ts';

/** Wraps a key and opens it again. @throws SealError, OpenError */
async function wrapAndOpen(key: Uint8Array, way: WrappingWay): Promise<Wrap> {
  const wrapped = await wrap(key, way);
  await unwrapVaultKey(wrapped, way.secret);
  return wrapped;
}

/**
 * Asks for one of the account's passkeys and wraps the key under what it yields.
 * @returns null when its authenticator yields nothing
 * @throws PasskeyCancelled, ApiError, TypeError
 */
export async function wrapByPasskey({ send }: ApiClient, key: Uint8Array): Promise<Wrap | null> {
  const { options } = await send(proof.passkeyOptions, {});
  const { response, credentialId, secret } = await askPasskey(options);
  // The server says whether it is one of this account's; the touch also counts as a fresh proof.
  await send(proof.passkey, { body: { response } });
  return secret && wrapAndOpen(key, { method: 'passkey', params: { credentialId }, secret });
}

/**
 * Wraps the key under the account's own passphrase, which the server has recognised.
 * @throws ApiError (401 for another passphrase), TypeError, RangeError
 */
export async function wrapByPassphrase(
  { send }: ApiClient,
  key: Uint8Array,
  name: string,
  passphrase: string,
): Promise<Wrap> {
  const stretching = await send(gate.passphraseSalt, { body: { name } });
  const { authKey, wrapSecret } = await derivePassphraseSecret(passphrase, name, stretching);
  await send(proof.passphrase, { body: { authKey } });
  return wrapAndOpen(key, { method: 'passphrase', params: stretching, secret: wrapSecret });
}
