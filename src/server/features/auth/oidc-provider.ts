// What we ask of an OpenID provider (openid-client does the protocol): where to sign in, and who has signed in.
import type * as Client from 'openid-client';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { oauthErrorOf, refusesClient, waysToShow } from './oidc-client-auth.ts';

/** How far the provider's clock may be off when it says that somebody signed in just now. Seconds. */
const CLOCK_TOLERANCE = 60;
/** How long a person may be kept waiting for the provider. Seconds. */
const PATIENCE = 10;

export interface SignInRequest {
  redirectUri: string;
  codeVerifier: string;
  nonce: string;
  state: string;
  /** Whether the provider must ask the person again, however recently they signed in there. */
  anew: boolean;
}

export interface SignedIn {
  /** Issuer and subject. */
  subject: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  /** When the person showed the provider who they are, epoch milliseconds; null when it does not say. */
  authenticatedAt: number | null;
  /** What the provider recognises its own session by when this one ends. */
  idToken: string;
}

export interface OidcProvider {
  /** Where the browser goes to sign in. */
  signInUrl(request: SignInRequest): Promise<URL>;
  /**
   * Trades what the provider sent the browser back with for the person.
   * @param back the callback's full address
   * @param anew within how many milliseconds the person must have signed in; null: however long ago
   */
  whoCameBack(
    back: URL,
    request: Omit<SignInRequest, 'redirectUri' | 'anew'>,
    anew: number | null,
  ): Promise<SignedIn>;
  /**
   * Where the provider's own session is ended; null where it has no such place or cannot be asked now, which is logged.
   * @param home where the provider sends the browser afterwards
   */
  signOutUrl(home: string, idToken: string | undefined): Promise<URL | null>;
}

/** The provider as it describes itself: one configuration for each way of showing the secret. */
interface Discovered {
  client: typeof Client;
  ways: [Client.Configuration, ...Client.Configuration[]];
}

/** Asks the provider for its endpoints once; a failure is asked again next time. */
function discovery(oidc: NonNullable<Config['oidc']>): () => Promise<Discovered> {
  let discovered: Promise<Discovered> | null = null;

  return () => {
    discovered ??= (async () => {
      const client = await import('openid-client');
      const execute = oidc.issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
      const found = await client.discovery(oidc.issuer, oidc.clientId, undefined, client.None(), {
        timeout: PATIENCE,
        execute,
      });
      const server = found.serverMetadata();
      const shown = waysToShow(client, oidc.clientSecret, server.token_endpoint_auth_methods_supported);
      const ways = shown.map((show) => {
        const way = new client.Configuration(server, oidc.clientId, undefined, show);
        way.timeout = PATIENCE;
        for (const extend of execute) extend(way);
        return way;
      });
      return { client, ways: ways as Discovered['ways'] };
    })();
    discovered.catch(() => {
      discovered = null;
    });
    return discovered;
  };
}

/** @throws AppError from every method: `sign-in-unavailable` or `sign-in-refused`, logged here */
export function oidcProvider(oidc: NonNullable<Config['oidc']>, log: Deps['log']): OidcProvider {
  const discover = discovery(oidc);

  async function fail(error: unknown): Promise<never> {
    const unavailable = isOutage(error);
    log.warn(
      { err: error, oauthError: await oauthErrorOf(error) },
      unavailable ? 'the sign-in provider failed' : 'the sign-in provider refused somebody',
    );
    throw new AppError(unavailable ? 'sign-in-unavailable' : 'sign-in-refused');
  }

  /**
   * Trades a code for tokens. Where the provider does not take how the secret was shown, it is shown in the other way,
   * once; a code is not used up by that. What worked is tried first from then on.
   */
  async function trade(
    { client, ways }: Discovered,
    back: URL,
    checks: Client.AuthorizationCodeGrantChecks,
  ): ReturnType<typeof Client.authorizationCodeGrant> {
    const [first, second] = ways;
    try {
      return await client.authorizationCodeGrant(first, back, checks);
    } catch (error) {
      if (!second || !refusesClient(await oauthErrorOf(error))) return fail(error);
    }
    const tokens = await client.authorizationCodeGrant(second, back, checks).catch(fail);
    if (ways[0] === first) ways.splice(0, 2, second, first);
    return tokens;
  }

  return {
    async signInUrl({ redirectUri, codeVerifier, nonce, state, anew }) {
      const { client, ways } = await discover().catch(fail);
      return client.buildAuthorizationUrl(ways[0], {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(anew ? { max_age: '0', prompt: 'login' } : {}),
      });
    },

    async whoCameBack(back, { codeVerifier, nonce, state }, anew) {
      const provider = await discover().catch(fail);
      const tokens = await trade(provider, back, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        ...(anew === null ? {} : { maxAge: Math.ceil(anew / 1000) + CLOCK_TOLERANCE }),
      });
      const claims = tokens.claims();
      if (!claims || tokens.id_token === undefined) return fail(new Error('the provider sent no id token'));
      const { client, ways } = provider;
      // Most providers tell names and addresses only here.
      const profile = ways[0].serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(ways[0], tokens.access_token, claims.sub).catch(fail)
        : claims;
      if (!SUBJECT.test(claims.sub)) return fail(new Error('the provider names a subject that is none'));
      return {
        subject: `${claims.iss} ${claims.sub}`,
        email: text(profile.email),
        ...namesIn(profile),
        authenticatedAt: claims.auth_time === undefined ? null : claims.auth_time * 1000,
        idToken: tokens.id_token,
      };
    },

    async signOutUrl(home, idToken) {
      // Leaving this server never fails because of the provider.
      const found = await discover()
        .catch(fail)
        .catch(() => null);
      if (!found?.ways[0].serverMetadata().end_session_endpoint) return null;
      return found.client.buildEndSessionUrl(found.ways[0], {
        post_logout_redirect_uri: home,
        ...(idToken === undefined ? {} : { id_token_hint: idToken }),
      });
    },
  };
}

const OUTAGES = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']);

/** Whether the provider could not be reached or stumbled, and nobody was refused. */
function isOutage(error: unknown): boolean {
  return error instanceof TypeError || OUTAGES.has(String((error as { code?: unknown }).code));
}

/** A subject has 255 characters at most (OpenID Connect Core, 2). Databases keep none that is longer by far, or holds NUL. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** More than names and addresses have. People write what they like into their profile at a provider. */
const CLAIM_MAX = 320;
/** What changes the lines around it or the order of their letters, or is no letter at all. */
const ODD = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** A claim as one line; null for what is no text, or has nothing in it. */
function text(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const line = value
    .slice(0, 2 * CLAIM_MAX)
    .replace(ODD, ' ')
    .trim();
  return [...line].slice(0, CLAIM_MAX).join('') || null;
}

/** Some providers tell one name alone: its last word is then the last name. */
function namesIn(claims: Record<string, unknown>): Pick<SignedIn, 'firstName' | 'lastName'> {
  const [firstName, lastName] = [text(claims.given_name), text(claims.family_name)];
  if (firstName !== null || lastName !== null) return { firstName, lastName };
  const words = (text(claims.name) ?? '').trim().split(/\s+/u);
  const last = words.length > 1 ? (words.pop() ?? null) : null;
  return { firstName: text(words.join(' ')), lastName: last };
}
