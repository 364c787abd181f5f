// The headers that keep a browser from doing what the page never asked for.
import type { Config } from '../config.ts';
import { isSecure } from './site.ts';

/**
 * The policy of documents: our own files and nothing else, no inline script, scripts only through Trusted Types.
 * @param styleHashes sources of the inline styles that the build wrote into a pre-rendered document
 * @param secure whether the server stands behind https
 */
export function documentPolicy(styleHashes: string[], secure: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${["'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self'",
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

/** Two years. Subdomains may be somebody else's, so they are bound only where the operator says so. */
function transportSecurity({ hstsSubdomains }: Config): string {
  return `max-age=63072000${hstsSubdomains ? '; includeSubDomains' : ''}`;
}

const permissions = (microphone: string) =>
  `camera=(), geolocation=(), microphone=${microphone}, payment=(), usb=(), browsing-topics=()`;

/** The app may ask for the microphone: /shadow listens to breath. A document keeps its permissions on every screen. */
export const appPermissions = permissions('(self)');

/** What every answer carries, unless it sets a policy of its own: nothing may be cached, framed or run. */
export function securityHeaders(config: Config): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': permissions('()'),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(isSecure(config) ? { 'Strict-Transport-Security': transportSecurity(config) } : {}),
  };
}
