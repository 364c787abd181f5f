// What every new envelope has to pass before a store sees it: one wrap for each way, a signature that holds, and its
// place behind the key that it replaces.
import type { ClientKeyRecord } from '../../../shared/nouns/vault-key.ts';
import { referenceOf } from '../../accounts/wrap-store.ts';
import { AppError } from '../../errors.ts';
import type { StandingKey } from './store.ts';

// The verifier is a large library that few requests need.
const signatures = () => import('../../adapters/signatures.ts');

/** @throws AppError with a sentence that names the field */
export async function checkClientKey(clientKey: ClientKeyRecord): Promise<void> {
  if (new Set(clientKey.wraps.map(referenceOf)).size < clientKey.wraps.length) {
    throw new AppError('invalid-input', 'clientKey.wraps: two of these belong to one recovery method.');
  }
  const { identityMessage, verifySignature } = await signatures();
  const signed = verifySignature(
    clientKey.verifyingKey,
    'latebra/v1/identity',
    identityMessage(clientKey),
    clientKey.signature,
  );
  if (!signed) throw new AppError('invalid-input', 'clientKey.signature: this signature does not hold.');
}

/**
 * A key that the one before vouches for is the next one. One without a voucher only has to be newer: a key that is put
 * back after a backup was restored may have had others before it that this server does not know any more.
 * @param replaced the key that stands there, or null for a first key
 * @throws AppError with a sentence that names the field
 */
export async function checkSuccession(
  clientKey: ClientKeyRecord,
  replaced: StandingKey | null,
): Promise<void> {
  const { generation, succession } = clientKey;
  const before = replaced?.generation ?? 0;
  if (generation <= before) {
    throw new AppError(
      'invalid-input',
      'clientKey.generation: this key is no newer than the one that it would replace.',
    );
  }
  if (succession === null) return;
  const { successionMessage, verifySignature } = await signatures();
  const vouched =
    replaced !== null &&
    generation === before + 1 &&
    verifySignature(replaced.verifyingKey, 'latebra/v1/succession', successionMessage(clientKey), succession);
  if (!vouched) {
    throw new AppError('invalid-input', 'clientKey.succession: the key before did not sign this one.');
  }
}

export const foreignPasskey = () => new AppError('invalid-input', 'wraps: this passkey is not one of yours.');
