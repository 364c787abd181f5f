// The second origin, on which the payment document stands with a script of the payment provider's. Nothing of a vault is
// there: of this server it answers that document, what the document loads, and one call; everything else is 404. In the same
// way that call is not there on the vault's origin.
import type { Context, MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { answerNothing } from './failure.ts';
import { normaliseHost, origin, portSuffix, toldHosts, typedLoopback } from './site.ts';

type Where = Pick<Config, 'payments' | 'publicUrl' | 'trustedProxies'>;

/** Where the payment document stands. */
export const PAY_PATH = '/pay';
/** The one call there. */
export const TICKET_PATH = '/pay/ticket';
const LOOPBACK = '127.0.0.1';

/** What may be asked for there besides; health says nothing of anybody, and a container asks for it at 127.0.0.1. */
const ALSO = ['/favicon.svg', '/healthz', '/readyz'];

/** The origin of the payment document, as browsers see it; null where there is none. */
export function checkoutOrigin(config: Where, c: Context): string | null {
  const where = config.payments?.checkoutOrigin ?? null;
  if (where === 'loopback') return `http://${LOOPBACK}${portSuffix(typedLoopback(c))}`;
  return where?.origin ?? null;
}

/** Whether a request came to the second origin. One name of several that a proxy tells is enough: fewer things are there. */
export function isAtCheckout(config: Where, c: Context): boolean {
  const where = config.payments?.checkoutOrigin ?? null;
  if (where === null) return false;
  return toldHosts(config, c).some((told) => {
    if (where === 'loopback') return normaliseHost('http:', told)?.hostname === LOOPBACK;
    return normaliseHost(where.protocol, told)?.host === where.host;
  });
}

/** Whether the second origin is that of a laptop, and was asked. */
const isTypedLoopback = (config: Where, c: Context) =>
  config.payments?.checkoutOrigin === 'loopback' && isAtCheckout(config, c);

/** The origin of the pages that may make the calls of the one that was asked. */
export function originAsked(config: Where, c: Context): string {
  return (isAtCheckout(config, c) && checkoutOrigin(config, c)) || origin(config, c);
}

/** Keeps the two origins apart: before anything else looks at a request. */
export function keepOriginsApart({ config, web }: Pick<Deps, 'config' | 'web'>): MiddlewareHandler {
  const readable = new Set([PAY_PATH, ...ALSO, ...assetsOf(web.documents.pay.plain)]);
  return async (c, next) => {
    const { method, path } = c.req;
    // On a laptop both addresses are typed, and one of them is the vault's.
    if (c.req.method === 'GET' && c.req.path === '/' && isTypedLoopback(config, c)) {
      return c.redirect(`${origin(config, c)}/`);
    }
    const isThere = isAtCheckout(config, c)
      ? method === 'POST'
        ? path === TICKET_PATH
        : (method === 'GET' || method === 'HEAD') && readable.has(path)
      : path !== TICKET_PATH;
    return isThere ? next() : answerNothing(c);
  };
}

/** The addresses that a document loads from this server. */
function assetsOf(document: Uint8Array): string[] {
  return new TextDecoder().decode(document).match(/\/assets\/[\w.-]+/g) ?? [];
}
