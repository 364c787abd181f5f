// Signing in by an OpenID Connect provider: code flow, PKCE, state, nonce.
// The provider learns who signs in; it never comes near the vault key.
import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { account, proof } from '../../../shared/nouns/account.ts';
import { safeReturn } from '../../../shared/safe-return.ts';
import { createAccount, oidcSubjectOf, refreshOidcAccount } from '../../accounts/account-store.ts';
import type { Deps } from '../../deps.ts';
import { randomToken } from '../../digests.ts';
import { AppError } from '../../errors.ts';
import { addHeader } from '../../http/answer.ts';
import { spendOnce } from '../../http/challenge-store.ts';
import { countAttempt, GATE, gateBucket, sessionBucket } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { isNamedAdmin, readSession } from '../../http/session.ts';
import { isCrossSite, isSecure, origin, wasSentHere } from '../../http/site.ts';
import { type Ceremony, ceremonies, LASTS } from './oidc-ceremony.ts';
import { keepIdToken, leavingRoutes } from './oidc-leaving.ts';
import { oidcProvider, type SignedIn } from './oidc-provider.ts';
import { recordProof, signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { type Brought, expectAdmission, invitationFrom } from './sign-up-store.ts';

const CALLBACK = account.loginCallback.path;
const CEREMONY_COOKIE = 'latebra-sign-in';

export function oidcRoutes(app: Hono, deps: Deps): void {
  const { oidc } = deps.config;
  const provider = oidc && oidcProvider(oidc, deps.log);
  leavingRoutes(app, deps, provider);

  const { seal, open, secretsOf } = ceremonies(deps);
  const secure = isSecure(deps.config);
  // With this prefix a browser takes the cookie from this very host alone: no subdomain can set one. It wants the path `/`.
  const ceremonyCookie = secure ? `__Host-${CEREMONY_COOKIE}` : CEREMONY_COOKIE;

  function writeCookie(c: Context, value: string, maxAge: number): void {
    const cookie = generateCookie(ceremonyCookie, value, {
      httpOnly: true,
      sameSite: 'Lax',
      secure,
      path: secure ? '/' : CALLBACK,
      maxAge,
    });
    addHeader(c, 'Set-Cookie', cookie);
  }

  /** The way to the provider. The browser carries all of it, so that beginning costs nobody anything. */
  async function begin(
    c: Context,
    asked: Pick<Ceremony, 'returnTo' | 'proves' | 'brought'>,
  ): Promise<string> {
    if (!provider) throw new AppError('not-found');
    const ceremony: Ceremony = { ...asked, state: randomToken(), begunAt: deps.now() };
    const url = await provider.signInUrl({
      ...secretsOf(ceremony),
      state: ceremony.state,
      redirectUri: `${origin(deps.config, c)}${CALLBACK}`,
      anew: asked.proves !== undefined,
    });
    writeCookie(c, seal(ceremony), LASTS / 1000);
    return url.href;
  }

  route(app, deps, account.login, async ({ c, query }) => {
    const returnTo = safeReturn(query.return);
    // Another site may link here. It may not send a browser here unasked, over and over, in place of a sign-in that is
    // under way: such a browser lands at the threshold, where its person may press.
    if (provider) return c.redirect(wasSentHere(c) ? '/' : await begin(c, { returnTo }), 302);
    return c.redirect(returnTo === '/' ? '/enter' : `/enter?return=${encodeURIComponent(returnTo)}`, 302);
  });

  route(app, deps, account.loginInvited, async ({ c, body }) => {
    const brought = invitationFrom(deps, body.invitation);
    const returnTo = safeReturn(body.return);
    await expectAdmission(deps, brought);
    return { url: await begin(c, { returnTo, brought }) };
  });

  route(app, deps, proof.oidc, async ({ c, caller, query }) => {
    // No other site links to a proof.
    if (isCrossSite(c)) throw new AppError('cross-site');
    const returnTo = safeReturn(query.return);
    return c.redirect(await begin(c, { returnTo, proves: caller.sessionHash }), 302);
  });

  route(app, deps, account.loginCallback, async ({ c }) => {
    const ceremony = open(getCookie(c, ceremonyCookie), c.req.query('state'));
    // Whatever else comes here leaves the cookie alone: it may belong to a sign-in that is under way.
    if (!provider || !ceremony) throw new AppError('ceremony-expired');
    writeCookie(c, '', 0);
    // A proof counts by its session: nobody else at the same address can use it up.
    const by = ceremony.proves === undefined ? gateBucket(deps, c) : sessionBucket(ceremony.proves);
    const giveBack = await countAttempt(deps, by, GATE);
    if (!(await spendOnce(deps, 'oidc', ceremony.state, ceremony.begunAt + LASTS))) {
      throw new AppError('ceremony-expired');
    }
    const back = new URL(`${CALLBACK}${new URL(c.req.url).search}`, origin(deps.config, c));
    const anew = ceremony.proves === undefined ? null : deps.now() - ceremony.begunAt;
    const asked = { ...secretsOf(ceremony), state: ceremony.state };
    const person = await provider.whoCameBack(back, asked, anew);
    if (ceremony.proves !== undefined) await prove(deps, c, ceremony, person);
    else {
      await enter(deps, c, person, ceremony.brought ?? null);
      // A household that signs in often is no attacker.
      await giveBack();
    }
    return c.redirect(ceremony.returnTo, 302);
  });
}

/** Only the account's own subject, in the very session that asked, proves anything. */
async function prove(deps: Deps, c: Context, { proves }: Ceremony, person: SignedIn): Promise<void> {
  const caller = await readSession(deps, c);
  const same = caller && (await oidcSubjectOf(deps, caller.accountId)) === person.subject;
  if (!same || caller.sessionHash !== proves) throw new AppError('sign-in-refused');
  await recordProof(deps, caller);
}

/**
 * A provider may let somebody through without asking them anything, so coming from there is no fresh proof by
 * itself: it counts from when the provider says that they signed in. A new account has nothing yet to guard.
 */
async function enter(deps: Deps, c: Context, person: SignedIn, brought: Brought | null): Promise<void> {
  const { subject, authenticatedAt, idToken, ...profile } = person;
  const known = { oidcSubject: subject, ...profile };
  const before = await refreshOidcAccount(deps, known);
  const accountId = before ?? (await beginAccount(deps, c, known, brought));
  const provedAt = before === null ? deps.now() : Math.min(authenticatedAt ?? 0, deps.now());
  await signIn(deps, c, accountId, 'oidc', provedAt);
  keepIdToken(deps, c, idToken);
}

async function beginAccount(
  deps: Deps,
  c: Context,
  known: Parameters<typeof refreshOidcAccount>[1],
  brought: Brought | null,
): Promise<number> {
  const named = isNamedAdmin(deps.config, { uid: '', oidc_subject: known.oidcSubject });
  const created = await signUp(deps, c, { way: 'oidc', brought, named }, (inside, isAdmin) =>
    createAccount(inside, { uid: randomUUID(), ...known, isAdmin }),
  ).catch((error: unknown) => error);
  if (typeof created === 'number') return created;
  // Another browser may have brought the same person, and the same invitation, a moment earlier.
  const meanwhile = await refreshOidcAccount(deps, known);
  if (meanwhile === null) throw created ?? new AppError('sign-in-refused');
  return meanwhile;
}
