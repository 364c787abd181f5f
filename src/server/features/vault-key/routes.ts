// The envelope of the vault key. A raw key that is sent by mistake is refused before anything looks at it.
import type { Hono } from 'hono';
import { vaultKey, type WrapRecord } from '../../../shared/vault-key.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import type { Caller } from '../../http/session.ts';
import { addWrap, findVaultKey, keepWords, ownsPasskey, putVaultKey } from './store.ts';

const signatures = () => import('../../adapters/signatures.ts');

export function vaultKeyRoutes(app: Hono, deps: Deps): void {
  /** A wrap names the passkey that opens it; it must be one of the caller's own. */
  async function refuseForeignPasskeys(caller: Caller, wraps: WrapRecord[]): Promise<void> {
    for (const wrap of wraps) {
      if (
        wrap.method === 'passkey' &&
        !(await ownsPasskey(deps, caller.accountId, wrap.params.credentialId))
      ) {
        throw new AppError('invalid-input', 'wraps: this passkey is not one of yours.');
      }
    }
  }

  route(app, deps, vaultKey.get, ({ caller }) => findVaultKey(deps, caller.accountId));

  route(app, deps, vaultKey.put, async ({ body, caller }) => {
    const { clientKey, previousFingerprint } = body;
    const { identityMessage, verifySignature } = await signatures();
    const signed = verifySignature(
      clientKey.verifyingKey,
      'latebra/v1/identity',
      identityMessage(clientKey),
      clientKey.signature,
    );
    if (!signed) throw new AppError('invalid-input', 'clientKey.signature: this signature does not hold.');
    await refuseForeignPasskeys(caller, clientKey.wraps);
    if (!(await putVaultKey(deps, caller, clientKey, previousFingerprint ?? null))) {
      throw new AppError('key-changed');
    }
    const kept = await findVaultKey(deps, caller.accountId);
    if (!kept) throw new AppError('key-changed');
    return kept;
  });

  route(app, deps, vaultKey.addWrap, async ({ body, caller }) => {
    await refuseForeignPasskeys(caller, [body.wrap]);
    const row = await addWrap(deps, caller.accountId, body.fingerprint, body.wrap);
    if (!row) throw new AppError('key-changed');
    return row;
  });

  route(app, deps, vaultKey.keepWords, async ({ body, caller }) => {
    const time = await keepWords(deps, caller.accountId, body.fingerprint);
    if (time === null) throw new AppError('key-changed');
    return { wordsKeptAt: new Date(time).toISOString() };
  });
}
