// One log line and one measurement for each answer: method, path template, status, time. Never a path as it was
// typed, a query, a body, a header or an address: paths can carry share links.
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Deps } from '../deps.ts';

export function observeRequests({ log, metrics }: Pick<Deps, 'log' | 'metrics'>): MiddlewareHandler {
  return async (c, next) => {
    const began = performance.now();
    await next();
    const seconds = (performance.now() - began) / 1000;
    const template = matchedRoutes(c).at(-1)?.path ?? '*';
    metrics.observe(c.req.method, template, c.res.status, seconds);
    if (log.isLevelEnabled('debug') || c.res.status >= 500) {
      log.info(
        { method: c.req.method, route: template, status: c.res.status, ms: Math.round(seconds * 1000) },
        'answered',
      );
    }
  };
}
