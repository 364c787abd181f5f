// Proving to the server that this browser knows the twenty-four words: it signs a nonce for this origin.
import { toBase64 } from '../../../crypto/base64.ts';
import type { gate, proof } from '../../../shared/nouns/account.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';

/** What the words calls are sent: the public verifying key, the nonce and the signature over both it and the origin. */
export async function signNonce(
  api: ApiClient,
  key: Uint8Array,
  asking: typeof gate.wordsNonce | typeof proof.wordsNonce,
): Promise<{ verifyingKey: string; nonce: string; signature: string }> {
  const [{ deriveIdentity, signInMessage }, { nonce }] = await Promise.all([
    import('../../../crypto/identity.ts'),
    api.send(asking, {}),
  ]);
  const identity = await deriveIdentity(key);
  const signature = identity.sign('latebra/v1/sign-in', signInMessage(window.location.origin, nonce));
  return { verifyingKey: identity.verifyingKey, nonce, signature: toBase64(signature) };
}
