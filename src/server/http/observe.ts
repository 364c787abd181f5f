// One measurement for each answer, and one log line for each that failed: method, path template, status, time. Never a path as it
// was typed, a query, a body, a header or an address: paths can carry share links.
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';

const TEMPLATE = 'template';

/** Says which route answers; without it a request counts as `*`. */
export function nameRoute(c: Context, template: string): void {
  c.set(TEMPLATE, template);
}

/** What this server does not have, or not now, is expected, and anybody may ask for it without end: it is measured alone. */
const NOT_NOW = 503;

export function observeRequests({ log, metrics }: Pick<Deps, 'log' | 'metrics'>): MiddlewareHandler {
  const logsEach = log.isLevelEnabled('debug');
  return async (c, next) => {
    const began = performance.now();
    await next();
    const seconds = (performance.now() - began) / 1000;
    const { status } = c.res;
    const template: string = c.get(TEMPLATE) ?? '*';
    metrics.observe(c.req.method, template, status, seconds);
    if (logsEach || (status >= 500 && status !== NOT_NOW)) {
      log.info({ method: c.req.method, route: template, status, ms: Math.round(seconds * 1000) }, 'answered');
    }
  };
}
