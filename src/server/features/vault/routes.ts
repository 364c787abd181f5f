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

/** Destroys an account's vault and erases what it held, as far as that is soon done: the sweep goes on with the rest. */
export type DestroyVault = (
  account: { accountId: number; uid: string },
  scrolls: 'disarm' | 'release',
) => Promise<void>;

/** @param alsoEnd what other features end with a vault */
export const vaultDestroyer =
  (deps: Deps, alsoEnd: AlsoEnd): DestroyVault =>
  async (account, scrolls) => {
    await destroyVault(deps, account, scrolls, alsoEnd);
    await eraseDestroyed(deps, account.accountId, AT_ONCE).catch((error: unknown) =>
      deps.log.error({ err: error }, 'erasing failed'),
    );
  };

export function vaultRoutes(app: Hono, deps: Deps, destroy: DestroyVault): void {
  route(app, deps, vault.destroy, async ({ body, caller, c }) => {
    await destroy(caller, body.scrolls ?? 'disarm');
    await endSession(deps, c);
  });
}
