// Where this house stands: its origin, its relying-party id, the address of whoever asks, and what came cross-site.
import { isIPv6 } from 'node:net';
import type { Context } from 'hono';
import { type Config, isLoopback } from '../config.ts';
import { AppError } from '../errors.ts';

type Where = Pick<Config, 'publicUrl' | 'trustedProxies'>;

function peerAddress(c: Context): string {
  const incoming = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming;
  return (incoming?.socket?.remoteAddress ?? '').replace(/^::ffff:/, '');
}

function isTrusted(config: Where, address: string): boolean {
  return address !== '' && config.trustedProxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * The client's address: the nearest one in X-Forwarded-For that is not a trusted proxy, else the peer's.
 * An untrusted peer's header is not looked at.
 */
export function clientAddress(config: Where, c: Context): string {
  const peer = peerAddress(c);
  if (!isTrusted(config, peer)) return peer;
  const hops = (c.req.header('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim().replace(/^::ffff:/, ''));
  for (const hop of hops.reverse()) {
    if (hop !== '' && !isTrusted(config, hop)) return hop;
  }
  return peer;
}

/** What attempts are counted by: an IPv4 address, or the /64 that one IPv6 household owns. */
export function addressBucket(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const zeros = address.includes('::') ? Array(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}

/** Whether the host that was typed is this machine itself. */
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
  const wanted = (base: string) => new URL(c.req.path + queryOf(c), base);
  if (!config.publicUrl) {
    const typed = typedLoopback(c);
    if (!typed) return 'insecure';
    // 127.0.0.1 is secure but no domain, and passkeys want one.
    return typed.hostname === 'localhost' ? 'here' : wanted(origin(config, c));
  }
  const { protocol, hostname, host } = config.publicUrl;
  if (protocol !== 'https:' && !isLoopback(hostname)) return 'insecure';
  return c.req.header('host') === host ? 'here' : wanted(config.publicUrl.origin);
}

function queryOf(c: Context): string {
  return new URL(c.req.url).search;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses unsafe requests that another site made a browser send. A request with neither header does not come
 * from a browser that could be tricked (design section 4, "The wire").
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
