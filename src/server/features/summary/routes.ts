// The dashboard's counts.
import type { Hono } from 'hono';
import { summary } from '../../../shared/summary.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { countEntries } from './store.ts';

export function summaryRoutes(app: Hono, deps: Deps): void {
  route(app, deps, summary.get, ({ caller }) => countEntries(deps, caller.accountId));
}
