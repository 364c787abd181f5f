// The vault as a whole.
import type { Hono } from 'hono';
import { vault } from '../../../shared/vault.ts';
import { rewriteDatabase } from '../../db/rewrite.ts';
import { truncateLog } from '../../db/truncate-log.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { endSession } from '../../http/session.ts';
import { destroyVault } from './store.ts';

export function vaultRoutes(app: Hono, deps: Deps): void {
  route(app, deps, vault.destroy, async ({ body, caller, c }) => {
    await destroyVault(deps, caller, body.scrolls ?? 'disarm');
    await endSession(deps, c);
    await truncateLog(deps);
    await rewriteDatabase(deps);
  });
}
