// Tells the administrator what this process has noticed since it started. Other processes on the same database have
// notices of their own.
import type { Hono } from 'hono';
import { serverNotices } from '../../../shared/nouns/server-notices.ts';
import { iso } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import type { ProxyWatch } from '../../http/undeclared-proxy.ts';

export function serverNoticesRoutes(app: Hono, deps: Deps, proxies: Pick<ProxyWatch, 'noticed'>): void {
  route(app, deps, serverNotices.get, async () => ({
    undeclaredProxies: proxies.noticed().map(({ address, since }) => ({ address, since: iso(since) })),
  }));
}
