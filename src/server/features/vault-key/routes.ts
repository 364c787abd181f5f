// The envelope of the vault key. A raw key that is sent by mistake is refused before anything looks at it.
import type { Hono } from 'hono';
import { vaultKey } from '../../../shared/nouns/vault-key.ts';
import { truncateLog } from '../../db/truncate-log.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import { checkClientKey, checkSuccession, foreignPasskey } from './client-key.ts';
import { findStandingKey, findVaultKey, putVaultKey } from './store.ts';
import { addWrap, keepWords } from './wrap-store.ts';

/** What the store may answer instead of a row. */
function refuse(outcome: 'key-changed' | 'foreign-passkey'): never {
  throw outcome === 'key-changed' ? new AppError('key-changed') : foreignPasskey();
}

export function vaultKeyRoutes(app: Hono, deps: Deps): void {
  route(app, deps, vaultKey.get, ({ caller }) => findVaultKey(deps, caller.accountId));

  route(app, deps, vaultKey.put, async ({ body, caller }) => {
    const { clientKey, previousFingerprint = null, keyRing = null } = body;
    await checkClientKey(clientKey);
    const replaced = await findStandingKey(deps, caller.accountId);
    if ((replaced?.fingerprint ?? null) !== previousFingerprint) refuse('key-changed');
    await checkSuccession(clientKey, replaced);
    const outcome = await putVaultKey(deps, caller, clientKey, { replaced, keyRing });
    if (outcome !== 'kept') refuse(outcome);
    // The wraps and the ring of the key that was replaced are gone for good.
    if (previousFingerprint) await truncateLog(deps);
    const kept = await findVaultKey(deps, caller.accountId);
    if (!kept) throw new AppError('key-changed');
    return kept;
  });

  route(app, deps, vaultKey.addWrap, async ({ body, caller }) => {
    const row = await addWrap(deps, caller, body.fingerprint, body.wrap);
    return typeof row === 'string' ? refuse(row) : row;
  });

  route(app, deps, vaultKey.keepWords, async ({ body, caller }) => {
    const time = await keepWords(deps, caller, body.fingerprint);
    if (time === null) throw new AppError('key-changed');
    return { wordsKeptAt: new Date(time).toISOString() };
  });
}
