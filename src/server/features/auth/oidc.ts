// Signing in by an OpenID Connect provider: code flow, PKCE, state, nonce.
// The provider learns who signs in; it never comes near the vault key.
import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { account, proof } from '../../../shared/account.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { addHeader } from '../../http/answer.ts';
import { consumeChallenge, issueChallenge } from '../../http/challenge-store.ts';
import { addressBucket, clientAddress } from '../../http/client-address.ts';
import { randomToken } from '../../http/digests.ts';
import { countAttempt, GATE_BY_ADDRESS } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { markProved, readSession, startSession } from '../../http/session.ts';
import { isSecure, origin } from '../../http/site.ts';
import { oidcSubjectOf, upsertOidcAccount } from './account-store.ts';
import { oidcProvider, type SignedIn } from './oidc-provider.ts';
import { safeReturn } from './safe-return.ts';

const CALLBACK = account.loginCallback.path;
const STATE_COOKIE = 'latebra-sign-in';
const STATE_SECONDS = 300;

interface Ceremony {
  codeVerifier: string;
  nonce: string;
  returnTo: string;
  begunAt: number;
  /** The session that is to be proved; absent for a sign-in. */
  proves?: string;
}

export function oidcRoutes(app: Hono, deps: Deps): void {
  const { oidc } = deps.config;
  const provider = oidc && oidcProvider(oidc, deps.log);

  function writeStateCookie(c: Context, state: string, maxAge: number): void {
    const cookie = generateCookie(STATE_COOKIE, state, {
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure(deps.config),
      path: CALLBACK,
      maxAge,
    });
    addHeader(c, 'Set-Cookie', cookie);
  }

  async function begin(c: Context, wish: Pick<Ceremony, 'returnTo' | 'proves'>): Promise<Response> {
    if (!provider) throw new AppError('not-found');
    // Every ceremony is written down until it ends, so nobody may begin them without end.
    await countAttempt(deps, `gate ${addressBucket(clientAddress(deps.config, c))}`, GATE_BY_ADDRESS);
    const state = randomToken();
    const ceremony: Ceremony = {
      ...wish,
      codeVerifier: await provider.randomVerifier(),
      nonce: randomToken(),
      begunAt: deps.now(),
    };
    const url = await provider.signInUrl({
      ...ceremony,
      state,
      redirectUri: `${origin(deps.config, c)}${CALLBACK}`,
      anew: wish.proves !== undefined,
    });
    await issueChallenge(deps, 'oidc', state, { ...ceremony });
    writeStateCookie(c, state, STATE_SECONDS);
    return c.redirect(url.href, 302);
  }

  /** Only the account's own subject, in the very session that asked, proves anything. */
  async function prove(c: Context, { proves }: Ceremony, person: SignedIn): Promise<void> {
    const caller = await readSession(deps, c);
    const same = caller && (await oidcSubjectOf(deps, caller.accountId)) === person.subject;
    if (!same || caller.sessionHash !== proves) throw new AppError('sign-in-refused');
    await markProved(deps, caller);
  }

  /**
   * A provider may let somebody through without asking them anything, so coming from there is no fresh proof by
   * itself: it counts from when the provider says that they signed in. A new account has nothing yet to guard.
   */
  async function enter(c: Context, { subject, authenticatedAt, ...profile }: SignedIn): Promise<void> {
    const entered = await upsertOidcAccount(deps, { uid: randomUUID(), oidcSubject: subject, ...profile });
    const provedAt = entered.isNew ? deps.now() : Math.min(authenticatedAt ?? 0, deps.now());
    await startSession(deps, c, entered.id, 'oidc', provedAt);
  }

  route(app, deps, account.login, async ({ c }) => {
    const returnTo = safeReturn(c.req.query('return'));
    if (provider) return begin(c, { returnTo });
    return c.redirect(returnTo === '/' ? '/enter' : `/enter?return=${encodeURIComponent(returnTo)}`, 302);
  });

  route(app, deps, proof.oidc, async ({ c, caller }) =>
    begin(c, { returnTo: safeReturn(c.req.query('return')), proves: caller.sessionHash }),
  );

  route(app, deps, account.loginCallback, async ({ c }) => {
    const state = c.req.query('state') ?? '';
    const sameBrowser = getCookie(c, STATE_COOKIE) === state;
    writeStateCookie(c, '', 0);
    const payload = sameBrowser && (await consumeChallenge(deps, 'oidc', state));
    if (!provider || !payload) throw new AppError('ceremony-expired');
    const ceremony = payload as unknown as Ceremony;

    const back = new URL(`${CALLBACK}${new URL(c.req.url).search}`, origin(deps.config, c));
    const anew = ceremony.proves === undefined ? null : deps.now() - ceremony.begunAt;
    const person = await provider.whoCameBack(back, { ...ceremony, state }, anew);
    await (ceremony.proves === undefined ? enter(c, person) : prove(c, ceremony, person));
    return c.redirect(ceremony.returnTo, 302);
  });
}
