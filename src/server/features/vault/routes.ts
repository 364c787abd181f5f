// The vault as a whole.
import type { Hono } from 'hono';
import { vault } from '../../../shared/nouns/vault.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { endSession } from '../../http/session.ts';
import { eraseDestroyed } from './erase-store.ts';
import { type AlsoEnd, destroyVault } from './store.ts';

/** How much of a vault is erased before the answer: all of most, and of a larger one some megabytes. */
const AT_ONCE = { steps: 8 };

export function vaultRoutes(app: Hono, deps: Deps, alsoEnd: AlsoEnd): void {
  route(app, deps, vault.destroy, async ({ body, caller, c }) => {
    await destroyVault(deps, caller, body.scrolls ?? 'disarm', alsoEnd);
    await endSession(deps, c);
    // It is destroyed; what is not erased yet waits for the sweep.
    await eraseDestroyed(deps, caller.accountId, AT_ONCE).catch((error: unknown) =>
      deps.log.error({ err: error }, 'erasing failed'),
    );
  });
}
