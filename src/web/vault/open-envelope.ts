// From an envelope and a secret back to the key. What the server keeps is recomputed before the key is used.
import { fingerprintOf, vaultKeyToHex } from '../../crypto/vault-key.ts';
import { unwrapVaultKey } from '../../crypto/wrap.ts';
import type { ClientKeyRecord } from '../../shared/vault-key.ts';
import { sentenceOf } from '../api/client.ts';
import { rememberKey } from './remember-key.ts';

/** The envelope is not this key's: somebody has changed what the server keeps. */
export class EnvelopeMismatch extends Error {}

/** What a person is told when bringing the key back has failed for another reason than a wrong secret. */
export function explainOpening(error: unknown): string {
  if (error instanceof EnvelopeMismatch) {
    return 'Stop. What this server keeps of your key does not match the key you gave. Nothing was opened. Do not go on here until you know why.';
  }
  if (error instanceof RangeError) {
    return 'The server asks for a weaker protection than this browser accepts. Nothing was opened.';
  }
  return sentenceOf(error);
}

/** The wrap of the passphrase, or of one passkey, if the envelope has it. */
export function findWrap(envelope: ClientKeyRecord, way: 'passphrase' | { credentialId: string }) {
  return envelope.wraps.find((wrap) =>
    wrap.method === 'passphrase'
      ? way === 'passphrase'
      : way !== 'passphrase' && wrap.params.credentialId === way.credentialId,
  );
}

/**
 * Unwraps the key and keeps it in this browser.
 * @throws OpenError when the secret does not open the wrap; EnvelopeMismatch as `keepOpenedKey`
 */
export async function openByWrap(
  uid: string,
  envelope: ClientKeyRecord,
  wrap: unknown,
  secret: Uint8Array,
): Promise<void> {
  await keepOpenedKey(uid, envelope, await unwrapVaultKey(wrap, secret));
}

/** Whether a key is the one of this envelope. */
export async function isKeyOf(envelope: ClientKeyRecord, key: Uint8Array): Promise<boolean> {
  return (await fingerprintOf(key)) === envelope.fingerprint;
}

/**
 * Recomputes the envelope from the key, then keeps the key in this browser.
 * @throws EnvelopeMismatch when anything differs
 */
export async function keepOpenedKey(uid: string, envelope: ClientKeyRecord, key: Uint8Array): Promise<void> {
  const { verifyClientKey } = await import('../../crypto/client-key.ts');
  await verifyClientKey(key, envelope as Parameters<typeof verifyClientKey>[1]).catch(() => {
    throw new EnvelopeMismatch();
  });
  rememberKey(uid, vaultKeyToHex(key));
}
