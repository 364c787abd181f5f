// The headers that keep a browser from doing what the page never asked for.
import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { isSecure } from './site.ts';

/**
 * The policy of documents: our own files and nothing else, no inline script, scripts only through Trusted Types.
 * @param styleHashes sources of the inline styles that the build wrote into a pre-rendered document
 * @param secure whether the house stands behind https
 */
export function documentPolicy(styleHashes: string[], secure: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${["'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types latebra',
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** The policy of the one worker that compiles WebAssembly. It may fetch nothing. */
export const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

const NOTHING = "default-src 'none'; frame-ancestors 'none'";
const HSTS = 'max-age=63072000; includeSubDomains';

/** Sets what every answer carries. A route may set a policy of its own. */
export function securityHeaders({ config }: Pick<Deps, 'config'>): MiddlewareHandler {
  const secure = isSecure(config);
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('Referrer-Policy', 'no-referrer');
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Cross-Origin-Resource-Policy', 'same-origin');
    headers.set(
      'Permissions-Policy',
      'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
    );
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', NOTHING);
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
    if (secure) headers.set('Strict-Transport-Security', HSTS);
  };
}
