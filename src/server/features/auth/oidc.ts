// Signing in by an OpenID Connect provider: code flow, PKCE, state, nonce (openid-client does the protocol).
// The provider learns who signs in; it never comes near the vault key.
import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type * as Client from 'openid-client';
import { account, proof } from '../../../shared/account.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { consumeChallenge, issueChallenge } from '../../http/challenges.ts';
import { randomToken } from '../../http/digests.ts';
import { route } from '../../http/route.ts';
import { markProved, readSession, startSession } from '../../http/session.ts';
import { isSecure, origin } from '../../http/site.ts';
import { safeReturn } from './safe-return.ts';
import { oidcSubjectOf, upsertOidcAccount } from './store.ts';

const CALLBACK = '/api/login/callback';
const STATE_COOKIE = 'latebra-sign-in';
const STATE_SECONDS = 300;
/** How far the provider's clock may be off when it says that somebody signed in just now. */
const CLOCK_TOLERANCE = 60;

interface Ceremony {
  codeVerifier: string;
  nonce: string;
  returnTo: string;
  /** The session that is to be proved; absent for a sign-in. */
  proves?: string;
}

export function oidcRoutes(app: Hono, deps: Deps): void {
  let discovered: Promise<[typeof Client, Client.Configuration]> | null = null;

  /** Asks the provider for its endpoints once; a failure is asked again next time. */
  function provider(): Promise<[typeof Client, Client.Configuration]> {
    const { oidc } = deps.config;
    if (!oidc) throw new AppError('not-found');
    discovered ??= (async () => {
      const client = await import('openid-client');
      const insecure =
        oidc.issuer.protocol === 'http:' ? { execute: [client.allowInsecureRequests] } : undefined;
      const authentication = oidc.clientSecret ? client.ClientSecretPost(oidc.clientSecret) : client.None();
      return [
        client,
        await client.discovery(oidc.issuer, oidc.clientId, undefined, authentication, insecure),
      ];
    })();
    discovered.catch(() => {
      discovered = null;
    });
    return discovered;
  }

  async function begin(c: Context, ceremony: Pick<Ceremony, 'returnTo' | 'proves'>): Promise<Response> {
    const [client, configuration] = await provider().catch(unavailable);
    const codeVerifier = client.randomPKCECodeVerifier();
    const nonce = randomToken();
    const state = randomToken();
    await issueChallenge(deps, 'oidc', state, { ...ceremony, codeVerifier, nonce });
    setCookie(c, STATE_COOKIE, state, {
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure(deps.config),
      path: CALLBACK,
      maxAge: STATE_SECONDS,
    });
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${origin(deps.config, c)}${CALLBACK}`,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...(ceremony.proves ? { max_age: '0', prompt: 'login' } : {}),
    });
    return c.redirect(url.href, 302);
  }

  function unavailable(error: unknown): never {
    deps.log.error({ err: error }, 'the sign-in provider failed');
    throw new AppError('sign-in-unavailable');
  }

  route(app, deps, account.login, async ({ c }) => {
    const returnTo = safeReturn(c.req.query('return'));
    if (deps.config.oidc) return begin(c, { returnTo });
    return c.redirect(returnTo === '/' ? '/enter' : `/enter?return=${encodeURIComponent(returnTo)}`, 302);
  });

  route(app, deps, proof.oidc, async ({ c, caller }) =>
    begin(c, { returnTo: safeReturn(c.req.query('return')), proves: caller.sessionHash }),
  );

  route(app, deps, account.loginCallback, async ({ c }) => {
    const state = c.req.query('state') ?? '';
    const sameBrowser = getCookie(c, STATE_COOKIE) === state;
    setCookie(c, STATE_COOKIE, '', { path: CALLBACK, maxAge: 0 });
    const ceremony = sameBrowser && ((await consumeChallenge(deps, 'oidc', state)) as Ceremony | null);
    if (!ceremony) throw new AppError('ceremony-expired');
    const [client, configuration] = await provider().catch(unavailable);
    const url = new URL(`${CALLBACK}${new URL(c.req.url).search}`, origin(deps.config, c));
    const tokens = await client
      .authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: ceremony.nonce,
        pkceCodeVerifier: ceremony.codeVerifier,
        ...(ceremony.proves ? { maxAge: CLOCK_TOLERANCE } : {}),
      })
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'the sign-in provider did not let somebody through');
        throw new AppError('sign-in-refused');
      });
    const claims = tokens.claims();
    if (!claims) throw new AppError('sign-in-refused');
    const subject = `${claims.iss} ${claims.sub}`;

    if (ceremony.proves) {
      const caller = await readSession(deps, c);
      const same = caller && (await oidcSubjectOf(deps, caller.accountId)) === subject;
      if (!same || caller.sessionHash !== ceremony.proves) throw new AppError('sign-in-refused');
      await markProved(deps, caller.sessionHash);
      return c.redirect(ceremony.returnTo, 302);
    }
    const accountId = await upsertOidcAccount(deps, {
      uid: randomUUID(),
      oidcSubject: subject,
      email: text(claims.email),
      firstName: text(claims.given_name),
      lastName: text(claims.family_name),
    });
    await startSession(deps, c, accountId, 'oidc');
    return c.redirect(ceremony.returnTo, 302);
  });
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
