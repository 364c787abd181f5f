// What we ask of an OpenID provider (openid-client does the protocol): where to sign in, and who has signed in.
import type * as Client from 'openid-client';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';

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
}

type Discovered = [typeof Client, Client.Configuration];

/** @throws AppError from every method: `sign-in-unavailable` or `sign-in-refused`, logged here */
export function oidcProvider(oidc: NonNullable<Config['oidc']>, log: Deps['log']): OidcProvider {
  let discovered: Promise<Discovered> | null = null;

  /** Asks the provider for its endpoints once; a failure is asked again next time. */
  function discover(): Promise<Discovered> {
    discovered ??= (async () => {
      const client = await import('openid-client');
      const configuration = await client.discovery(
        oidc.issuer,
        oidc.clientId,
        undefined,
        authentication(client, oidc.clientSecret),
        {
          timeout: PATIENCE,
          ...(oidc.issuer.protocol === 'http:' ? { execute: [client.allowInsecureRequests] } : {}),
        },
      );
      return [client, configuration];
    })();
    discovered.catch(() => {
      discovered = null;
    });
    return discovered;
  }

  function fail(error: unknown): never {
    const unavailable = isOutage(error);
    log.warn(
      { err: error },
      unavailable ? 'the sign-in provider failed' : 'the sign-in provider refused somebody',
    );
    throw new AppError(unavailable ? 'sign-in-unavailable' : 'sign-in-refused');
  }

  return {
    async signInUrl({ redirectUri, codeVerifier, nonce, state, anew }) {
      const [client, configuration] = await discover().catch(fail);
      return client.buildAuthorizationUrl(configuration, {
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
      const [client, configuration] = await discover().catch(fail);
      const tokens = await client
        .authorizationCodeGrant(configuration, back, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          ...(anew === null ? {} : { maxAge: Math.ceil(anew / 1000) + CLOCK_TOLERANCE }),
        })
        .catch(fail);
      const claims = tokens.claims();
      if (!claims) return fail(new Error('the provider sent no id token'));
      // Most providers tell names and addresses only here.
      const profile = configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(fail)
        : claims;
      return {
        subject: `${claims.iss} ${claims.sub}`,
        email: text(profile.email),
        firstName: text(profile.given_name),
        lastName: text(profile.family_name),
        authenticatedAt: claims.auth_time === undefined ? null : claims.auth_time * 1000,
      };
    },
  };
}

/** By HTTP Basic, as OpenID Connect has it by default, unless the provider says that it cannot. */
function authentication(client: typeof Client, secret: string | null): Client.ClientAuth {
  if (secret === null) return client.None();
  const basic = client.ClientSecretBasic(secret);
  const post = client.ClientSecretPost(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    return (methods && !methods.includes('client_secret_basic') ? post : basic)(server, ...rest);
  };
}

const OUTAGES = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']);

/** Whether the provider could not be reached or stumbled, and nobody was refused. */
function isOutage(error: unknown): boolean {
  return error instanceof TypeError || OUTAGES.has(String((error as { code?: unknown }).code));
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
