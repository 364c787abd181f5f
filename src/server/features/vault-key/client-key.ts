// What every new envelope has to pass before a store sees it: one wrap for each way, and a signature that holds.
import type { ClientKeyRecord } from '../../../shared/vault-key.ts';
import { AppError } from '../../errors.ts';
import { referenceOf } from './store.ts';

// The verifier is a large library that few requests need.
const signatures = () => import('../../adapters/signatures.ts');

/** @throws AppError with a sentence that names the field */
export async function checkClientKey(clientKey: ClientKeyRecord): Promise<void> {
  if (new Set(clientKey.wraps.map(referenceOf)).size < clientKey.wraps.length) {
    throw new AppError('invalid-input', 'clientKey.wraps: two of these belong to one way back.');
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

export const foreignPasskey = () => new AppError('invalid-input', 'wraps: this passkey is not one of yours.');
