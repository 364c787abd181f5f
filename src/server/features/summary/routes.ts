// What the dashboard tells.
import type { Hono } from 'hono';
import { summary } from '../../../shared/nouns/summary.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { summarise } from './store.ts';

export function summaryRoutes(app: Hono, deps: Deps): void {
  route(app, deps, summary.get, ({ caller }) => summarise(deps, caller.accountId));
}
