// What an account stores and may store. The triggers that count and refuse are in db/usage-triggers.ts.
import type { Hono } from 'hono';
import { usage } from '../../../shared/nouns/usage.ts';
import type { Deps } from '../../deps.ts';
import { quotaOf } from '../../entitlements/quota-store.ts';
import { route } from '../../http/route.ts';

export function usageRoutes(app: Hono, deps: Deps): void {
  route(app, deps, usage.get, ({ caller }) => quotaOf(deps.db, caller.accountId));
}
