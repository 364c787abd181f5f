// Leaving: the session here ends and, where a provider began it and has a place for that, the provider's own as well.
// Another site may send a browser here, but signs nobody out.
import type { Context, Hono } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { account } from '../../../shared/nouns/account.ts';
import { sessions } from '../../../shared/nouns/session.ts';
import type { Deps } from '../../deps.ts';
import { addHeader } from '../../http/answer.ts';
import { route } from '../../http/route.ts';
import { endSession, readSession } from '../../http/session.ts';
import { isCrossSite, isSecure, origin } from '../../http/site.ts';
import type { OidcProvider } from './oidc-provider.ts';

/** Proxies take 4 KiB of headers in an answer by default, and other cookies and headers stand beside it. */
const TOKEN_MAX = 2000;
const DAY_SECONDS = 24 * 60 * 60;

// It is sent to this one path, and to no call. A cookie with the stricter prefix would be sent to all of them.
const cookieName = (deps: Deps) => `${isSecure(deps.config) ? '__Secure-' : ''}latebra-provider-session`;

function writeCookie(deps: Deps, c: Context, value: string, maxAge: number): void {
  const cookie = generateCookie(cookieName(deps), value, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(deps.config),
    path: account.logout.path,
    maxAge,
  });
  addHeader(c, 'Set-Cookie', cookie);
}

/**
 * Has the browser keep what its provider recognises the session by, so that the provider need not ask again who leaves.
 * This server does not store it. One that is too long for a cookie is not kept; the provider then asks.
 */
export function keepIdToken(deps: Deps, c: Context, idToken: string): void {
  const fits = idToken.length <= TOKEN_MAX;
  writeCookie(deps, c, fits ? idToken : '', fits ? deps.config.sessionDays * DAY_SECONDS : 0);
}

export function leavingRoutes(app: Hono, deps: Deps, provider: OidcProvider | null): void {
  /** Where the provider's session ends; null for a session that no provider began, or that has ended already. */
  async function signOutUrl(c: Context): Promise<URL | null> {
    if (!provider || (await readSession(deps, c))?.way !== 'oidc') return null;
    return provider.signOutUrl(`${origin(deps.config, c)}/`, getCookie(c, cookieName(deps)));
  }

  /** @returns where the provider's session ends; null for nowhere */
  async function leave(c: Context): Promise<string | null> {
    const elsewhere = await signOutUrl(c);
    await endSession(deps, c);
    if (provider) writeCookie(deps, c, '', 0);
    return elsewhere?.href ?? null;
  }

  route(app, deps, account.logout, async ({ c }) => {
    if (isCrossSite(c)) return c.redirect('/', 302);
    return c.redirect((await leave(c)) ?? '/', 302);
  });

  route(app, deps, sessions.leave, async ({ c }) => ({ endsAt: await leave(c) }));
}
