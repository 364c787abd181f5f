// The headers that keep a browser from doing what the page never asked for.
import type { Config } from '../config.ts';
import { isSecure } from './site.ts';

/**
 * The policy of documents: our own files and nothing else, no inline script, scripts only through Trusted Types.
 * @param styleHashes sources of the inline styles that the build wrote into a pre-rendered document
 * @param secure whether the server stands behind https
 * @param sisters origins of the instances that this one is joined with: the app asks them by itself
 */
export function documentPolicy(
  styleHashes: string[],
  secure: boolean,
  sisters: readonly string[] = [],
): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${["'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' ')}`,
    // `blob:` is what the page itself has opened: sealed photographs and recordings. No server can put anything there.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...sisters].join(' '),
    "media-src 'self' blob:",
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

/**
 * The policy of the payment document, on an origin of its own: besides our files the script and the frames that Stripe
 * documents (https://docs.stripe.com/security/guide). That script makes no promise about Trusted Types, and sets styles on
 * its frames.
 * @param styleHashes sources of the inline styles that the build wrote into the document
 */
export function paymentPolicy(styleHashes: string[], secure: boolean): string {
  const script = 'https://js.stripe.com https://*.js.stripe.com';
  return [
    "default-src 'none'",
    `script-src 'self' ${script}`,
    `style-src ${["'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' ')}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https://*.stripe.com",
    "font-src 'self'",
    "connect-src 'self' https://api.stripe.com",
    `frame-src ${script} https://hooks.stripe.com`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/**
 * What else the payment document has of its own. A bank may ask its customer in a window of its own, and wallets of phones
 * and browsers are asked by the payment's frames. Whoever is asked learns the origin, and never an address.
 */
export const paymentHeaders: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy':
    'camera=(), geolocation=(), microphone=(), payment=(self "https://js.stripe.com"), usb=(), browsing-topics=()',
  'Referrer-Policy': 'strict-origin',
};

/** The policy of the one worker that compiles WebAssembly. It may fetch nothing. */
export const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** The policy of the service worker: it fetches from this origin, for what it keeps and for what it lets through. */
export const serviceWorkerPolicy = "default-src 'none'; connect-src 'self'";

/** Two years. Subdomains may be somebody else's, so they are bound only where the operator says so. */
function transportSecurity({ hstsSubdomains }: Config): string {
  return `max-age=63072000${hstsSubdomains ? '; includeSubDomains' : ''}`;
}

const permissions = (microphone: string) =>
  `camera=(), geolocation=(), microphone=${microphone}, payment=(), usb=(), browsing-topics=()`;

/** The app may ask for the microphone: /shadow listens to breath. A document keeps its permissions on every screen. */
export const appPermissions = permissions('(self)');

/** Headers that browsers read of documents alone. The first load is shorter where scripts come without them. */
export const documentHeaders: ReadonlySet<string> = new Set([
  'Cross-Origin-Opener-Policy',
  'Permissions-Policy',
]);

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
