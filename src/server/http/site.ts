// Where this server stands: its origin, its relying-party id, and what came to it under another name or from another site.
import type { Context } from 'hono';
import { isLoopback } from '../config/readers.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { comesThroughTrustedProxy, isPrivate } from './client-address.ts';

type Where = Pick<Config, 'publicUrl' | 'trustedProxies'>;

/** The host that was typed, as a URL, if it is this machine itself. */
export function typedLoopback(c: Context): URL | null {
  const url = normaliseHost('http:', c.req.header('host') ?? '');
  return url && isLoopback(url.hostname) ? url : null;
}

/**
 * The origin that browsers see. `PUBLIC_URL` where it is set; otherwise only loopback is served, at whatever port
 * was typed, so that a forwarded port works.
 */
export function origin(config: Where, c: Context): string {
  if (config.publicUrl) return config.publicUrl.origin;
  return `http://localhost${portSuffix(typedLoopback(c))}`;
}

export function portSuffix(url: URL | null): string {
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
  // A proxy may write the scheme's own port behind the name, which browsers leave out.
  const isHere = typed === null || (normaliseHost(protocol, typed)?.host ?? typed) === host;
  return isHere ? 'here' : wanted(config.publicUrl.origin);
}

/** The host that was typed; null behind a trusted proxy that puts its own in its place and does not tell. */
function typedHost(config: Where, c: Context): string | null {
  const host = c.req.header('host')?.trim().toLowerCase() ?? '';
  if (!comesThroughTrustedProxy(config, c)) return host;
  const forwarded = c.req.header('x-forwarded-host')?.split(',')[0]?.trim().toLowerCase();
  return forwarded ?? (isOfProxy(config, host) ? null : host);
}

/**
 * Whether a host is how a proxy names this server, and nothing that somebody typed: this machine, a private address, a
 * name without a dot, another port. To redirect on account of such a name would lead to the same name again, for ever.
 */
function isOfProxy({ publicUrl }: Where, host: string): boolean {
  const url = normaliseHost(publicUrl?.protocol ?? 'http:', host);
  if (!url) return true;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = isLoopback(url.hostname) || isPrivate(name) || !/[.:]/.test(name);
  return isLocal || url.port !== (publicUrl?.port ?? '');
}

/** A host as a URL writes it: in lower case, without the scheme's own port. Null for what is no host. */
export function normaliseHost(protocol: string, host: string): URL | null {
  try {
    const url = new URL(`${protocol}//${host}`);
    return url.pathname === '/' && !url.username && !url.search && !url.hash ? url : null;
  } catch {
    return null;
  }
}

/** The hosts that a request came under: as it was sent, and as a trusted proxy says last. */
export function toldHosts(config: Where, c: Context): string[] {
  const forwarded = comesThroughTrustedProxy(config, c) ? c.req.header('x-forwarded-host') : undefined;
  const told = [c.req.header('host'), forwarded?.split(',').at(-1)];
  return told.map((host) => host?.trim().toLowerCase() ?? '');
}

/**
 * Refuses a call that came under a name which is not this server's. A page of another site can have its own name point
 * at this address (DNS rebinding), and then counts as the same site. Behind a trusted proxy the name that it adds last
 * to X-Forwarded-Host does as well, for proxies that put their own in the place of `Host`. Pages have `standing`; what
 * a container asks after by a bare address (`/healthz`, `/readyz`, `/metrics`) says nothing of a person.
 * @throws AppError `wrong-host`
 */
export function refuseForeignHost(config: Where, c: Context): void {
  if (!toldHosts(config, c).some((host) => isOurs(config, host))) throw new AppError('wrong-host');
}

function isOurs({ publicUrl }: Where, typed: string): boolean {
  const host = normaliseHost(publicUrl?.protocol ?? 'http:', typed);
  if (!host) return false;
  if (host.host === publicUrl?.host) return true;
  // Nobody can have another site's name be one of these, so a server of this machine alone answers to all of them.
  const isLocal = publicUrl === null || isLoopback(publicUrl.hostname);
  return isLocal && isLoopback(host.hostname);
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Whether a request only reads. */
export const isSafe = ({ req }: Context): boolean => SAFE.has(req.method);

/**
 * Refuses what another site made a browser send, but for looking at a page: every unsafe request, and of the API what
 * nobody navigates to, such as an image. A request with neither header does not come from a browser that could be
 * tricked, or from one too old to say.
 * @param ours the origin whose pages may ask
 * @throws AppError `cross-site`
 */
export function refuseCrossSite(ours: string, c: Context): void {
  if (isCrossSite(c)) {
    const safe = isSafe(c);
    if (!safe || (c.req.path.startsWith('/api/') && !isNavigation(c))) throw new AppError('cross-site');
    return;
  }
  if (isSafe(c) || c.req.header('sec-fetch-site') !== undefined) return;
  const from = c.req.header('origin');
  if (from !== undefined && from !== ours) throw new AppError('cross-site');
}

/** Whether another site made a browser send this. A browser that is too old to say so sends nothing. */
export function isCrossSite(c: Context): boolean {
  const site = c.req.header('sec-fetch-site');
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Whether a whole page is asked for, and not an image, a frame or a script's errand. */
function isNavigation(c: Context): boolean {
  return c.req.header('sec-fetch-mode') === 'navigate' && c.req.header('sec-fetch-dest') === 'document';
}

/** Whether another site sent a browser here although its person has pressed nothing. */
export function wasSentHere(c: Context): boolean {
  return isCrossSite(c) && !(isNavigation(c) && c.req.header('sec-fetch-user') === '?1');
}
