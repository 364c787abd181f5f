// A real OpenID provider on a spare port, a server that trusts it, and a browser of a few lines that goes between them.
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';
import { vi } from 'vitest';
import type { Engine } from '../server/db/open.ts';
import { testClock } from './clock.ts';
import { ORIGIN, openTestInstance, type TestInstance } from './instance.ts';

export interface TestProvider {
  issuer: string;
  /** Who answers when the provider asks who is there; null refuses to say. */
  person: string | null;
  /** How often somebody was asked. */
  asked: number;
  /** How often a secret was refused as it was shown. */
  refused: number;
  /** Stops listening, as a provider that is down. */
  stop(): Promise<void>;
}

export interface ProviderOptions {
  /** With a secret the client is confidential; `method` is how it shows the secret. */
  secret?: string;
  method?: 'client_secret_basic' | 'client_secret_post';
  /** Takes nothing by HTTP Basic, whatever it says. */
  refusesBasic?: true;
  /** What it says that it takes, where that is more than `method`. */
  advertised?: NonNullable<ProviderOptions['method']>[];
  /** Tells a name in one piece. */
  fullName?: string;
  /** Has no place to sign out at. */
  keepsSessions?: true;
}

const CLIENT_ID = 'latebra';

/** The provider comes with many warnings for whoever would run it in earnest. */
async function importQuietly(): Promise<typeof Provider> {
  for (const kind of ['warn', 'info'] as const) vi.spyOn(console, kind).mockImplementation(() => {});
  return (await import('oidc-provider')).default;
}

let signingKey: object | null = null;

export async function startProvider(options: ProviderOptions = {}): Promise<TestProvider> {
  const { secret, method, fullName } = options;
  signingKey ??= {
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
    use: 'sig',
    alg: 'RS256',
  };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: TestProvider = { issuer, person: 'ann', asked: 0, refused: 0, stop: () => stop(server) };

  const OidcProvider = await importQuietly();
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        ...(secret === undefined
          ? { token_endpoint_auth_method: 'none' }
          : { client_secret: secret, token_endpoint_auth_method: method }),
        redirect_uris: [`${ORIGIN}/api/login/callback`],
        post_logout_redirect_uris: [`${ORIGIN}/`],
      },
    ],
    ...(method ? { clientAuthMethods: options.advertised ?? [method] } : {}),
    jwks: { keys: [signingKey] },
    cookies: { keys: ['a test’s own'] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: !options.keepsSessions },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    claims: { openid: ['sub'], email: ['email'], profile: ['name', 'given_name', 'family_name'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@people.example`,
        ...(fullName === undefined ? { given_name: id, family_name: 'Example' } : { name: fullName }),
      }),
    }),
    // Nobody is asked for consent: the server keeps whatever is granted to itself.
    async loadExistingGrant(ctx: { oidc: { session: { accountId: string }; client: { clientId: string } } }) {
      const { accountId } = ctx.oidc.session;
      const grant = new provider.Grant({ accountId, clientId: ctx.oidc.client.clientId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    response.on('finish', () => {
      if (request.url === '/token' && response.statusCode >= 400) state.refused += 1;
    });
    if (options.refusesBasic && usesBasic(request)) {
      response.writeHead(401, {
        'content-type': 'application/json',
        'www-authenticate': 'Basic realm="test"',
      });
      return void response.end(JSON.stringify({ error: 'invalid_client', error_description: 'a guess' }));
    }
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    state.asked += 1;
    const result =
      state.person === null ? { error: 'access_denied' } : { login: { accountId: state.person } };
    return void provider.interactionFinished(request, response, result);
  });
  return state;
}

const usesBasic = ({ headers, url }: IncomingMessage) =>
  url === '/token' && headers.authorization?.startsWith('Basic ') === true;

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** A server whose people come by this provider. Its clock shows the real time, as the provider’s does. */
export function openOidcInstance(
  { issuer }: Pick<TestProvider, 'issuer'>,
  {
    engine = 'sqlite',
    clientId = CLIENT_ID,
    secret,
    publicUrl,
  }: { engine?: Engine; clientId?: string; secret?: string; publicUrl?: string } = {},
): Promise<TestInstance> {
  return openTestInstance({
    engine,
    clock: testClock(new Date().toISOString()),
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      ...(publicUrl === undefined ? {} : { PUBLIC_URL: publicUrl }),
      ...(secret === undefined ? {} : { OIDC_CLIENT_SECRET: secret }),
    },
  });
}

interface Cookie {
  value: string;
  path: string;
}

/** Keeps cookies and follows redirects, between the server (which has no port) and the rest of the world. */
export class Browser {
  readonly #instance: TestInstance;
  readonly #from: { from?: string };
  readonly #jars = new Map<string, Map<string, Cookie>>();

  constructor(instance: TestInstance, from?: string) {
    this.#instance = instance;
    this.#from = from === undefined ? {} : { from };
  }

  #jar(origin: string): Map<string, Cookie> {
    const jar = this.#jars.get(origin) ?? new Map<string, Cookie>();
    this.#jars.set(origin, jar);
    return jar;
  }

  /** What it would send to a path of the server. */
  cookies(path = '/', origin = ORIGIN): string {
    return [...this.#jar(origin)]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  forget(name: string): void {
    this.#jar(ORIGIN).delete(name);
  }

  /** As if another person sat down at the provider's pages. */
  forgetProvider({ issuer }: TestProvider): void {
    this.#jar(issuer).clear();
  }

  /** Keeps the cookies that an answer sets. */
  keep(response: Response, origin = ORIGIN): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const path = attributes.find((a) => /^path=/i.test(a))?.slice(5) ?? '/';
      const expired = attributes.some((a) => /^max-age=0$/i.test(a) || /^expires=Thu, 01 Jan 1970/i.test(a));
      if (expired) this.#jar(origin).delete(name);
      else this.#jar(origin).set(name, { value, path });
    }
  }

  /** One step: a navigation without following where it leads. */
  async step(url: URL): Promise<{ response: Response; next: URL | null }> {
    const headers = { accept: 'text/html,*/*;q=0.8', cookie: this.cookies(url.pathname, url.origin) };
    const response =
      url.origin === ORIGIN
        ? await this.#instance.request('GET', url.pathname + url.search, { headers, ...this.#from })
        : await fetch(url, { headers, redirect: 'manual' });
    this.keep(response, url.origin);
    const location = response.headers.get('location');
    return { response, next: location === null ? null : new URL(location, url) };
  }

  /** Follows redirects to the end, or until it would open a page that `until` knows. */
  async go(
    path: string,
    until: (url: URL) => boolean = () => false,
  ): Promise<{ url: URL; response: Response }> {
    let url = new URL(path, ORIGIN);
    for (let steps = 0; steps < 20; steps += 1) {
      const { response, next } = await this.step(url);
      if (next === null || until(next)) return { url: next ?? url, response };
      url = next;
    }
    throw new Error('This leads nowhere.');
  }

  /** Calls the API with the cookies of the server. */
  request(method: string, path: string, options: { body?: unknown } = {}): Promise<Response> {
    return this.#instance.request(method, path, { ...options, cookie: this.cookies(path) });
  }
}
