// Where this house stands: its origin, its relying-party id, and what came to it from another site.
import type { Context } from 'hono';
import { type Config, isLoopback } from '../config.ts';
import { AppError } from '../errors.ts';
import { comesThroughTrustedProxy } from './client-address.ts';

type Where = Pick<Config, 'publicUrl' | 'trustedProxies'>;

/** The host that was typed, as a URL, if it is this machine itself. */
function typedLoopback(c: Context): URL | null {
  const host = c.req.header('host');
  if (!host) return null;
  try {
    const url = new URL(`http://${host}`);
    return isLoopback(url.hostname) ? url : null;
  } catch {
    return null;
  }
}

/**
 * The origin that browsers see. `PUBLIC_URL` where it is set; otherwise only loopback is served, at whatever port
 * was typed, so that a forwarded port works.
 */
export function origin(config: Where, c: Context): string {
  if (config.publicUrl) return config.publicUrl.origin;
  return `http://localhost${portSuffix(typedLoopback(c))}`;
}

function portSuffix(url: URL | null): string {
  return url?.port ? `:${url.port}` : '';
}

/** WebAuthn's relying-party id. */
export function relyingParty(config: Where): string {
  return config.publicUrl?.hostname ?? 'localhost';
}

export function isSecure(config: Where): boolean {
  return config.publicUrl?.protocol === 'https:';
}

/**
 * What to do with a request for a page by the address that was typed.
 * @returns `here`, a URL to go to instead, or `insecure`: browsers give no WebCrypto to that address
 */
export function standing(config: Where, c: Context): 'here' | 'insecure' | URL {
  const wanted = (base: string) => {
    const url = new URL(base);
    // Set, not resolved: resolving `//elsewhere.example` would lead there.
    url.pathname = c.req.path;
    url.search = new URL(c.req.url).search;
    return url;
  };
  if (!config.publicUrl) {
    const typed = typedLoopback(c);
    if (!typed) return 'insecure';
    // 127.0.0.1 is secure but no domain, and passkeys want one.
    return typed.hostname === 'localhost' ? 'here' : wanted(origin(config, c));
  }
  const { protocol, hostname, host } = config.publicUrl;
  if (protocol !== 'https:' && !isLoopback(hostname)) return 'insecure';
  const typed = typedHost(config, c);
  return typed === null || typed === host ? 'here' : wanted(config.publicUrl.origin);
}

/** The host that was typed; null behind a trusted proxy that puts its own in its place and does not tell. */
function typedHost(config: Where, c: Context): string | null {
  if (!comesThroughTrustedProxy(config, c)) return c.req.header('host')?.toLowerCase() ?? '';
  return c.req.header('x-forwarded-host')?.split(',')[0]?.trim().toLowerCase() ?? null;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses unsafe requests that another site made a browser send. A request with neither header does not come
 * from a browser that could be tricked.
 * @throws AppError `cross-site`
 */
export function refuseCrossSite(config: Where, c: Context): void {
  if (SAFE.has(c.req.method)) return;
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new AppError('cross-site');
    return;
  }
  const from = c.req.header('origin');
  if (from !== undefined && from !== origin(config, c)) throw new AppError('cross-site');
}

/** Whether a navigation was started by another site. */
export function isCrossSiteNavigation(c: Context): boolean {
  const site = c.req.header('sec-fetch-site');
  return site === 'cross-site' || site === 'same-site';
}
