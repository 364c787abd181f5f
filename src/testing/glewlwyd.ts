// A provider of OpenID Connect that others have written and people do run: Debian's Glewlwyd, on a spare port, with a
// database of its own. Its login page is a script; what that sends is sent here.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { ORIGIN } from './instance.ts';
import type { Browser } from './oidc-instance.ts';

const PROGRAM = '/usr/bin/glewlwyd';
const MODULES = '/usr/lib/glewlwyd';
const SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';

/** Whether it and SQLite's own tool, which makes its database, are installed as Debian puts them. */
export const hasGlewlwyd = [PROGRAM, SCHEMA, '/usr/bin/sqlite3'].every((file) => existsSync(file));

export interface Glewlwyd {
  issuer: string;
  /** Takes an application by its admin API, as an operator enters it. */
  addClient(id: string, secret: string): Promise<void>;
  /** Signs its one person in at the login page that a browser was led to; answers where the page leads next. */
  signInAt(page: URL, browser: Browser): Promise<URL>;
  /** Where its login page leads a browser that has signed in there already. */
  goOnFrom(page: URL): URL;
  /** Confirms at the page that asks whether to sign out; answers where the page leads next. */
  signOutAt(page: URL, browser: Browser): Promise<URL>;
  stop(): Promise<void>;
}

interface ClientModule {
  parameters: { 'data-format': Record<string, object> };
}

/** The person that it knows. */
export const PERSON = { username: 'ann', name: 'Ann Maria Example', email: 'ann@people.example' };
const PASSWORD = 'known to this provider alone';
const SCOPES = ['openid', 'profile', 'email'];

/** How often it is started anew on another port, where somebody has taken the first one meanwhile. */
const STARTS = 3;

interface Started {
  child: ChildProcess;
  exited: Promise<void>;
  origin: string;
}

/** Starts the program until it answers: it says that it has started before it listens. */
async function startProgram(folder: string, database: string, left = STARTS): Promise<Started> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  writeFileSync(join(folder, 'configuration'), configuration(new URL(origin), database));
  const child = spawn(PROGRAM, ['--config-file', join(folder, 'configuration')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
  let hasExited = false;
  const exited = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      hasExited = true;
      resolve();
    });
  });
  while (!hasExited) {
    const isThere = await fetch(origin).then(
      () => true,
      () => false,
    );
    // Another program may answer at a port that this one was refused.
    if (isThere && !hasExited && said.join('').includes('Glewlwyd started')) {
      child.stdout.removeAllListeners('data').resume();
      return { child, exited, origin };
    }
    await Promise.race([exited, setTimeout(BETWEEN_LOOKS)]);
  }
  if (left === 1) throw new Error(`Glewlwyd did not start: ${said.join('')}`);
  return startProgram(folder, database, left - 1);
}

/** In milliseconds, while it starts. */
const BETWEEN_LOOKS = 25;

export async function startGlewlwyd(): Promise<Glewlwyd> {
  const folder = mkdtempSync(join(tmpdir(), 'latebra-glewlwyd-'));
  const database = join(folder, 'database');
  execFileSync('sqlite3', [database], { input: readFileSync(SCHEMA) });
  const { child, exited, origin } = await startProgram(folder, database);
  const api = `${origin}/api`;

  async function call(cookie: string, method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(api + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  // The administrator that its database begins with.
  const entered = await call('', 'POST', '/auth/', { username: 'admin', password: 'password' });
  const admin = entered.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  // Where its own column for this stands, the plugin reads another one.
  const clients = (await (await call(admin, 'GET', '/mod/client/database')).json()) as ClientModule;
  clients.parameters['data-format'].post_logout_redirect_uris = { multiple: true, read: true, write: true };
  await call(admin, 'PUT', '/mod/client/database', clients);
  await call(admin, 'PUT', '/mod/client/database/reset');
  await call(admin, 'POST', '/mod/plugin/', plugin(`${api}/oidc`));
  for (const name of SCOPES.slice(1))
    await call(admin, 'POST', '/scope/', { name, display_name: name, password_required: false });
  await call(admin, 'POST', '/user/', {
    ...PERSON,
    password: PASSWORD,
    scope: [...SCOPES, 'g_profile'],
    enabled: true,
  });

  return {
    issuer: `${api}/oidc`,
    async addClient(id, secret) {
      await call(admin, 'POST', '/client/', {
        client_id: id,
        name: id,
        confidential: true,
        client_secret: secret,
        scope: [],
        enabled: true,
        authorization_type: ['code'],
        token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post'],
        redirect_uri: [`${ORIGIN}/api/login/callback`],
        post_logout_redirect_uris: [`${ORIGIN}/`],
      });
    },
    async signInAt(page, browser) {
      const { username } = PERSON;
      browser.keep(await call('', 'POST', '/auth/', { username, password: PASSWORD }), origin);
      const cookie = browser.cookies('/', origin);
      const client = page.searchParams.get('client_id');
      await call(cookie, 'PUT', `/auth/grant/${client}`, { scope: SCOPES.join(' ') });
      return goOnFrom(page);
    },
    goOnFrom,
    async signOutAt(page, browser) {
      for (const ended of [`/oidc/session/${page.searchParams.get('sid')}`, '/auth/'])
        browser.keep(await call(browser.cookies('/', origin), 'DELETE', ended), origin);
      return new URL(page.searchParams.get('callback_url') ?? '');
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function goOnFrom(page: URL): URL {
  const back = new URL(page.searchParams.get('callback_url') ?? '');
  back.searchParams.set('g_continue', '');
  return back;
}

function configuration({ origin, hostname, port }: URL, database: string): string {
  return [
    `port = ${port}`,
    `bind_address = "${hostname}"`,
    `external_url = "${origin}"`,
    'login_url = "login.html"',
    'api_prefix = "api"',
    'log_mode = "console"',
    'log_level = "INFO"',
    'cookie_secure = 0',
    'session_key = "GLEWLWYD2_SESSION_ID"',
    'admin_scope = "g_admin"',
    'profile_scope = "g_profile"',
    `user_module_path = "${MODULES}/user"`,
    `client_module_path = "${MODULES}/client"`,
    `user_auth_scheme_module_path = "${MODULES}/scheme"`,
    `plugin_module_path = "${MODULES}/plugin"`,
    'hash_algorithm = "SHA512"',
    `database = { type = "sqlite3" path = "${database}" }`,
  ].join('\n');
}

function plugin(issuer: string): object {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  });
  return {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OpenID Connect',
    enabled: true,
    parameters: {
      iss: issuer,
      'jwt-type': 'rsa',
      'jwt-key-size': '256',
      key: privateKey,
      cert: publicKey,
      'code-duration': 600,
      'refresh-token-duration': 1_209_600,
      'access-token-duration': 3600,
      'auth-type-code-enabled': true,
      'pkce-allowed': true,
      'pkce-required': true,
      'jwks-show': true,
      'name-claim': 'on-demand',
      'name-claim-scope': ['profile'],
      'email-claim': 'on-demand',
      'email-claim-scope': ['email'],
      'session-management-allowed': true,
      'session-cookie-name': 'GLEWLWYD_OIDC_SESSION',
      'session-cookie-expiration': 2_419_200,
    },
  };
}
