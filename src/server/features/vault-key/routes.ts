// The envelope of the vault key. A raw key that is sent by mistake is refused before anything looks at it.
import type { Hono } from 'hono';
import { vaultKey } from '../../../shared/vault-key.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import { addWrap, findVaultKey, keepWords, putVaultKey, referenceOf } from './store.ts';

const signatures = () => import('../../adapters/signatures.ts');

/** What the store may answer instead of a row. */
function refuse(outcome: 'key-changed' | 'foreign-passkey'): never {
  if (outcome === 'key-changed') throw new AppError('key-changed');
  throw new AppError('invalid-input', 'wraps: this passkey is not one of yours.');
}

export function vaultKeyRoutes(app: Hono, deps: Deps): void {
  route(app, deps, vaultKey.get, ({ caller }) => findVaultKey(deps, caller.accountId));

  route(app, deps, vaultKey.put, async ({ body, caller }) => {
    const { clientKey, previousFingerprint } = body;
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
    const outcome = await putVaultKey(deps, caller, clientKey, previousFingerprint ?? null);
    if (outcome !== 'kept') refuse(outcome);
    const kept = await findVaultKey(deps, caller.accountId);
    if (!kept) throw new AppError('key-changed');
    return kept;
  });

  route(app, deps, vaultKey.addWrap, async ({ body, caller }) => {
    const row = await addWrap(deps, caller.accountId, body.fingerprint, body.wrap);
    return typeof row === 'string' ? refuse(row) : row;
  });

  route(app, deps, vaultKey.keepWords, async ({ body, caller }) => {
    const time = await keepWords(deps, caller.accountId, body.fingerprint);
    if (time === null) throw new AppError('key-changed');
    return { wordsKeptAt: new Date(time).toISOString() };
  });
}
