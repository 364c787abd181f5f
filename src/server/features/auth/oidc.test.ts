import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contractRows } from '../../../shared/http/contract.ts';
import type { User } from '../../../shared/nouns/account.ts';
import { safeReturn } from '../../../shared/safe-return.ts';
import { HOUR, MINUTE } from '../../../shared/time.ts';
import { countedAs } from '../../../testing/attempts.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, ORIGIN, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import {
  Browser,
  openOidcInstance,
  startProvider,
  type TestProvider,
} from '../../../testing/oidc-instance.ts';
import { createAccount } from '../../accounts/account-store.ts';
import { randomToken, sha256 } from '../../digests.ts';
import { REQUESTS_PER_MINUTE } from '../../http/flood-gate.ts';
import { insertInvitation } from './invitation-store.ts';
import { offerToken } from './setup-token-store.ts';

const atCallback = (url: URL) => url.pathname === '/api/login/callback';
const problemOf = (url: URL) => (url.pathname === '/enter' ? url.searchParams.get('problem') : null);

describeOnEachEngine('signing in by an OpenID provider', (engine) => {
  let provider: TestProvider;
  let instance: TestInstance;
  let browser: Browser;
  beforeAll(async () => {
    provider = await startProvider();
    instance = await openOidcInstance(provider, { engine });
  });
  afterAll(async () => {
    await instance.close();
    await provider.stop();
  });
  beforeEach(() => {
    instance.clock.set(Date.now());
    provider.person = 'ann';
    provider.asked = 0;
    browser = new Browser(instance);
  });

  const user = async (from = browser): Promise<User | null> => {
    const response = await from.request('GET', '/api/auth/user');
    return response.status === 200 ? ((await response.json()) as User) : null;
  };

  it('leads there, back, and home, with what the provider says of the person', async () => {
    provider.person = 'eve';
    const { url, response } = await browser.go('/api/login');
    expect(url.pathname).toBe('/');
    expect(response.status).toBe(200);
    expect(await user()).toMatchObject({
      email: 'eve@people.example',
      firstName: 'eve',
      lastName: 'Example',
      name: null,
      signedInBy: 'oidc',
      onboardingComplete: false,
    });
  });

  it('asks with a code, PKCE, state and nonce, and keeps no state in the address that comes back', async () => {
    const { url } = await browser.go('/api/login', ({ origin }) => origin === provider.issuer);
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost:3000/api/login/callback',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name]).toMatch(/^[\w-]{43}$/);
    expect(browser.cookies('/')).toBe('');
    expect(browser.cookies('/api/login/callback')).toMatch(/^latebra-sign-in=[\w-]+\.[\w-]{43}$/);
  });

  it('knows the same subject again, from another browser, and refreshes what is known of them', async () => {
    await browser.go('/api/login');
    const first = await user();
    await instance.deps.db.updateTable('accounts').set({ email: 'old@people.example' }).execute();
    const other = new Browser(instance);
    await other.go('/api/login');
    expect(await user(other)).toMatchObject({ id: first?.id, email: 'ann@people.example' });
    provider.person = 'bob';
    const third = new Browser(instance);
    await third.go('/api/login');
    expect((await user(third))?.id).not.toBe(first?.id);
  });

  it('leads to the page that was wanted, within this server', async () => {
    expect((await browser.go('/api/login?return=%2Fsettings%3Fa%3Db')).url.href).toBe(
      'http://localhost:3000/settings?a=b',
    );
    const other = new Browser(instance);
    expect((await other.go('/api/login?return=https%3A%2F%2Fevil.example')).url.href).toBe(
      'http://localhost:3000/',
    );
  });

  it('makes one account when two browsers bring a new subject at once', async () => {
    provider.person = `new-${engine}`;
    const browsers = [browser, new Browser(instance)];
    const callbacks: URL[] = [];
    for (const each of browsers) callbacks.push((await each.go('/api/login', atCallback)).url);
    await Promise.all(browsers.map((each, i) => each.step(callbacks[i] as URL)));
    const [one, two] = await Promise.all(browsers.map((each) => user(each)));
    expect(one?.id).toBeDefined();
    expect(two?.id).toBe(one?.id);
  });

  it('shuts every door of the embedded gate: the provider decides who comes in', async () => {
    const doors = contractRows().filter(({ row }) => row.embeddedAuth);
    expect(doors.length).toBe(7);
    for (const { name, row } of doors) {
      const response = await instance.request(row.method, row.path, { body: {} });
      expect([name, await failure(response)]).toEqual([name, { status: 403, code: 'embedded-auth-off' }]);
    }
    const enter = await instance.request('GET', '/enter');
    expect([enter.status, enter.headers.get('location')]).toEqual([302, '/api/login']);
    expect((await instance.request('GET', '/enter?problem=sign-in-refused')).status).toBe(200);
  });

  describe('where not everybody may create an account', () => {
    const closed = () => instance.sibling({ SIGN_UP: 'closed' });
    const byInvitation = () => instance.sibling({ SIGN_UP: 'invitation' });

    async function anInvitation(): Promise<string> {
      const secret = randomToken();
      const account = { uid: randomUUID(), name: randomUUID() };
      const admin = { accountId: (await createAccount(instance.deps, account)) ?? 0, device: '' };
      await insertInvitation(instance.deps, admin, {
        secretHash: sha256(secret),
        lasts: HOUR,
        invited: '',
      });
      return secret;
    }

    /** Goes to the provider with an invitation, as the page at /enter does, up to the recovery method. */
    async function goInvited(to: TestInstance, invitation: string, by: Browser): Promise<URL> {
      const response = await to.request('POST', '/api/login', { body: { invitation, return: '/settings' } });
      expect(response.status).toBe(200);
      by.keep(response);
      const { url } = (await response.json()) as { url: string };
      return (await by.go(url, atCallback)).url;
    }

    it('turns new people back, and lets in whom it knows', async () => {
      provider.person = `known-${engine}`;
      await browser.go('/api/login');
      const again = new Browser(closed());
      await again.go('/api/login');
      expect((await user(again))?.email).toBe(`known-${engine}@people.example`);
      for (const [where, problem] of [
        [closed(), 'sign-up-closed'],
        [byInvitation(), 'invitation-needed'],
      ] as const) {
        provider.person = `stranger-${engine}`;
        const stranger = new Browser(where);
        expect(problemOf((await stranger.go('/api/login')).url)).toBe(problem);
        expect(await user(stranger)).toBeNull();
      }
    });

    it('carries an invitation there and back, out of the provider’s sight, and spends it once', async () => {
      const secret = await anInvitation();
      const where = byInvitation();
      const people = ['invited-one', 'invited-two'].map((name) => ({
        name: `${name}-${engine}`,
        by: new Browser(where),
      }));
      const callbacks: URL[] = [];
      for (const { name, by } of people) {
        provider.person = name;
        const back = await goInvited(where, secret, by);
        expect(back.href).not.toContain(secret);
        callbacks.push(back);
      }
      const ends = await Promise.all(people.map(({ by }, i) => by.step(callbacks[i] as URL)));
      const problems = ends.map(({ next }) => next && problemOf(next));
      expect(problems.sort()).toEqual(['invitation-spent', null].sort());
      expect(ends.filter(({ next }) => next?.pathname === '/settings')).toHaveLength(1);
      const response = await where.request('POST', '/api/login', { body: { invitation: secret } });
      expect(await failure(response)).toEqual({ status: 403, code: 'invitation-spent' });
    });

    it('lets one person in who comes back in two browsers with one invitation', async () => {
      const secret = await anInvitation();
      const where = byInvitation();
      provider.person = `twice-${engine}`;
      const browsers = [new Browser(where), new Browser(where)];
      const callbacks: URL[] = [];
      for (const each of browsers) callbacks.push(await goInvited(where, secret, each));
      await Promise.all(browsers.map((each, i) => each.step(callbacks[i] as URL)));
      const [one, two] = await Promise.all(browsers.map((each) => user(each)));
      expect(one?.id).toBeDefined();
      expect(two?.id).toBe(one?.id);
    });

    it('takes the set-up token for an invitation, and makes whoever brings it the administrator', async () => {
      const token = 'printed at the first start';
      await offerToken(instance.deps, instance.deps.digests.keyed('setup-token', token));
      const where = closed();
      provider.person = `admin-${engine}`;
      const by = new Browser(where);
      await by.step(await goInvited(where, token, by));
      expect(await user(by)).toMatchObject({ isAdmin: true });
      await instance.deps.db.updateTable('accounts').set({ is_admin: 0 }).execute();
    });

    it('lets in whom ADMIN_SUBJECTS names', async () => {
      provider.person = `named-${engine}`;
      const named = new Browser(instance.sibling({ SIGN_UP: 'closed', ADMIN_SUBJECTS: provider.person }));
      await named.go('/api/login');
      expect(await user(named)).toMatchObject({ isAdmin: true });
    });

    it('shows the page that takes an invitation before the provider is asked', async () => {
      expect((await instance.request('GET', '/enter?invited')).status).toBe(200);
      expect((await instance.request('GET', '/enter')).status).toBe(302);
    });
  });

  describe('turns back, to a page that says why,', () => {
    it('whoever the provider refuses', async () => {
      provider.person = null;
      const { url } = await browser.go('/api/login');
      expect(problemOf(url)).toBe('sign-in-refused');
      expect(await user()).toBeNull();
    });

    it('whoever has a subject that is none: a database keeps no such key', async () => {
      provider.person = 's'.repeat(3000);
      const { url } = await browser.go('/api/login');
      expect(problemOf(url)).toBe('sign-in-refused');
      expect(await user()).toBeNull();
    });

    it('a callback in another browser than the one that asked', async () => {
      const { url } = await browser.go('/api/login', atCallback);
      const thief = new Browser(instance);
      expect(problemOf((await thief.go(url.href)).url)).toBe('ceremony-expired');
      expect(await user(thief)).toBeNull();
    });

    it('a callback with another state, or none', async () => {
      const { url } = await browser.go('/api/login', atCallback);
      const other = new URL(url);
      other.searchParams.set('state', 'x'.repeat(43));
      expect(problemOf((await browser.go(other.href)).url)).toBe('ceremony-expired');
      const none = new URL(url);
      none.searchParams.delete('state');
      expect(problemOf((await browser.go(none.href)).url)).toBe('ceremony-expired');
      browser.forget('latebra-sign-in');
      expect(problemOf((await browser.go(none.href)).url)).toBe('ceremony-expired');
    });

    it('a callback that comes a second time', async () => {
      const { url } = await browser.go('/api/login', atCallback);
      const cookie = browser.cookies('/api/login/callback');
      expect((await browser.step(url)).next?.pathname).toBe('/');
      const again = await instance.request('GET', url.pathname + url.search, {
        cookie,
        headers: { accept: 'text/html' },
      });
      expect(again.headers.get('location')).toBe('/enter?problem=ceremony-expired');
    });

    it('a callback that took longer than five minutes', async () => {
      const { url } = await browser.go('/api/login', atCallback);
      instance.clock.advance(5 * MINUTE);
      expect(problemOf((await browser.go(url.href)).url)).toBe('ceremony-expired');
    });

    it('a code that the provider did not give', async () => {
      const { url } = await browser.go('/api/login', atCallback);
      url.searchParams.set('code', 'guessed');
      expect(problemOf((await browser.go(url.href)).url)).toBe('sign-in-refused');
    });

    it('an answer in the name of another provider', async () => {
      const { url } = await browser.go('/api/login', atCallback);
      url.searchParams.set('iss', 'https://other.example');
      expect(problemOf((await browser.go(url.href)).url)).toBe('sign-in-refused');
    });

    it('a cookie that was changed, cut off, or made by another instance', async () => {
      const { url } = await browser.go('/api/login', atCallback);
      const [, value = ''] = browser.cookies(url.pathname).split('=');
      const [body = '', tag = ''] = value.split('.');
      const ceremony = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
      const changed = Buffer.from(JSON.stringify({ ...ceremony, returnTo: '//evil.example' }));
      const elsewhere = instance.sibling({ SECRET_KEY: 'cd'.repeat(32) });
      const come = (cookie: string, to = instance) =>
        to.request('GET', url.pathname + url.search, { headers: { cookie: `latebra-sign-in=${cookie}` } });
      for (const forged of [
        `${changed.toString('base64url')}.${tag}`,
        body,
        `${body}.`,
        `.${tag}`,
        '.',
        '',
      ]) {
        expect(await failure(await come(forged))).toEqual({ status: 401, code: 'ceremony-expired' });
      }
      expect(await failure(await come(value, elsewhere))).toEqual({ status: 401, code: 'ceremony-expired' });
      expect((await come(value)).headers.get('location')).toBe('/');
    });

    it('all but one of twenty callbacks at once, on two servers', async () => {
      const { url } = await browser.go('/api/login', atCallback);
      const servers = [instance, instance.sibling()];
      const options = { headers: { cookie: browser.cookies(url.pathname), accept: 'text/html' } };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          (servers[i % 2] as TestInstance).request('GET', url.pathname + url.search, options),
        ),
      );
      const ways = answers.map(({ headers }) => headers.get('location'));
      expect(ways.filter((way) => way === '/')).toHaveLength(1);
      expect(ways.filter((way) => way === '/enter?problem=ceremony-expired')).toHaveLength(19);
    });

    it('whoever brings wrong answers again and again, and nobody else', async () => {
      const from = '198.51.100.20';
      const bring = async (at: string) => {
        const { url } = await browser.go('/api/login', atCallback);
        const query = `?state=${url.searchParams.get('state')}&error=access_denied`;
        const headers = { accept: 'text/html', cookie: browser.cookies(url.pathname) };
        const answer = await instance.request('GET', url.pathname + query, { from: at, headers });
        return answer.headers.get('location');
      };
      const refused = '/enter?problem=sign-in-refused';
      expect(await countedAs(instance, 119, () => bring(from))).toBe(refused);
      expect(await bring(from)).toBe(refused);
      expect(await bring(from)).toBe('/enter?problem=too-many');
      expect(await bring('198.51.100.21')).toBe(refused);
    });

    it('and answers programs with JSON instead', async () => {
      const response = await instance.request('GET', '/api/login/callback?code=x&state=y');
      expect(await failure(response)).toEqual({ status: 401, code: 'ceremony-expired' });
    });
  });

  describe('is not begun, hindered or used up', () => {
    const from = '198.51.100.30';
    const image = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'image',
      accept: 'image/avif,image/webp,*/*;q=0.8',
    };
    const frame = { ...image, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    const popup = { ...frame, 'sec-fetch-dest': 'document', accept: 'text/html' };
    const link = { ...popup, 'sec-fetch-user': '?1' };
    const get = (path: string, headers: Record<string, string>, cookie?: string) =>
      instance.request('GET', path, { from, headers, cookie });
    const written = () =>
      instance.deps.db.selectFrom('challenges').select('id_hash').orderBy('id_hash').execute();
    const paths = ['/api/login', '/api/proof/oidc', '/api/login/callback?state=x&code=y'];

    it.each([
      [121, 'images', image],
      [1000, 'images', image],
      [121, 'frames', frame],
      [121, 'windows that another site moves', popup],
    ] as const)('by %i %s of another site', async (times, _, headers) => {
      browser = new Browser(instance, from);
      const before = await written();
      const hinder = async (path: string, count: number) => {
        for (let i = 0; i < count; i += 1) {
          const answer = await get(path, headers, browser.cookies(path.split('?')[0]));
          expect(answer.headers.getSetCookie()).toEqual([]);
          expect(answer.headers.get('location') ?? '').not.toContain(provider.issuer);
        }
      };
      await hinder('/api/login', times);
      // A code of the provider lasts for a minute of real time: fewer while the visitor is on the way.
      const way = await browser.go('/api/login', atCallback);
      for (const path of paths) await hinder(path, 10);
      expect(await written()).toEqual(before);
      expect((await browser.go(way.url.href)).url.pathname).toBe('/');
      expect((await user())?.signedInBy).toBe('oidc');
      await hinder('/api/proof/oidc', times);
      instance.clock.set(Date.now());
      expect((await browser.go('/api/proof/oidc?return=/settings')).url.pathname).toBe('/settings');
    });

    it('by a thousand images: whoever then calls the API is no flood', async () => {
      for (let i = 0; i < REQUESTS_PER_MINUTE; i += 1) await get('/api/login', image);
      expect((await get('/api/auth/user', {})).status).toBe(401);
    });

    it('by another site’s window that would prove anew: it is turned back', async () => {
      await browser.go('/api/login');
      for (const headers of [popup, link]) {
        const answer = await get('/api/proof/oidc', headers, browser.cookies());
        expect(answer.headers.get('location')).toBe('/enter?problem=cross-site');
      }
    });

    it.each([
      ['a link on another site that somebody pressed', link],
      ['an address that was typed', { ...popup, 'sec-fetch-site': 'none' }],
      ['this site’s own button', { ...link, 'sec-fetch-site': 'same-origin' }],
      ['a browser too old to say from where', { accept: 'text/html' }],
    ])('but begun by %s', async (_, headers) => {
      const answer = await get('/api/login', headers as Record<string, string>);
      expect(answer.headers.get('location')).toContain(provider.issuer);
      expect(answer.headers.getSetCookie()).toHaveLength(1);
    });

    it('by others at the same address: whoever is signed in there proves anew', async () => {
      const shared = { from: '198.51.100.31' };
      browser = new Browser(instance, shared.from);
      await browser.go('/api/login');
      const nonce = () => instance.request('POST', '/api/gate/words/nonce', shared);
      expect((await countedAs(instance, 119, nonce)).status).toBe(200);
      expect((await nonce()).status).toBe(200);
      expect((await nonce()).status).toBe(429);
      expect((await browser.go('/api/proof/oidc?return=/settings')).url.pathname).toBe('/settings');
    });

    it('by a visitor’s own: signing in many times from one address, and then proving anew', async () => {
      browser = new Browser(instance, from);
      const signIn = async () => (await browser.go('/api/login')).url.pathname;
      expect(await countedAs(instance, 130, signIn)).toBe('/');
      for (let i = 0; i < 3; i += 1) expect(await signIn()).toBe('/');
      // The provider has a clock of its own.
      instance.clock.set(Date.now());
      expect((await browser.go('/api/proof/oidc?return=/settings')).url.pathname).toBe('/settings');
    });
  });

  describe('counts as a proof', () => {
    const needsProof = async (from = browser) =>
      (await from.request('POST', '/api/passkeys/options')).status === 403;

    it('for a new account, which has nothing yet to guard', async () => {
      provider.person = `first-${engine}`;
      await browser.go('/api/login');
      expect(await needsProof()).toBe(false);
    });

    it('not when the provider lets an old account through without asking anybody', async () => {
      await browser.go('/api/login');
      await browser.request('GET', '/api/logout');
      provider.asked = 0;
      await browser.go('/api/login');
      expect(provider.asked).toBe(0);
      expect(await user()).not.toBeNull();
      expect(await needsProof()).toBe(true);
    });

    it('when the person signs in there anew, though the provider knows them', async () => {
      await browser.go('/api/login');
      instance.clock.advance(HOUR);
      expect(await needsProof()).toBe(true);
      instance.clock.set(Date.now());
      await instance.deps.db.updateTable('sessions').set({ proved_at: 0 }).execute();
      expect(await needsProof()).toBe(true);
      provider.asked = 0;
      const { url } = await browser.go('/api/proof/oidc?return=/settings');
      expect(url.pathname).toBe('/settings');
      expect(provider.asked).toBe(1);
      expect(await needsProof()).toBe(false);
    });

    it('not when somebody else signs in there', async () => {
      await browser.go('/api/login');
      await instance.deps.db.updateTable('sessions').set({ proved_at: 0 }).execute();
      const before = await user();
      provider.person = 'mallory';
      browser.forgetProvider(provider);
      const { url } = await browser.go('/api/proof/oidc');
      expect(problemOf(url)).toBe('sign-in-refused');
      expect(await needsProof()).toBe(true);
      expect(await user()).toEqual(before);
    });

    it('not for a session that began meanwhile', async () => {
      await browser.go('/api/login');
      const { url } = await browser.go('/api/proof/oidc', atCallback);
      const other = new Browser(instance);
      await other.go('/api/login');
      await instance.deps.db.updateTable('sessions').set({ proved_at: 0 }).execute();
      const cookie = `${other.cookies('/')}; ${browser.cookies(url.pathname)}`;
      const response = await instance.request('GET', url.pathname + url.search, {
        cookie,
        headers: { accept: 'text/html' },
      });
      expect(response.headers.get('location')).toBe('/enter?problem=sign-in-refused');
      expect(await needsProof(other)).toBe(true);
    });

    it('only for whoever is signed in', async () => {
      const { url } = await browser.go('/api/proof/oidc');
      expect(problemOf(url)).toBe('not-signed-in');
    });
  });

  it('shows the problem to whoever is signed in already, too', async () => {
    await browser.go('/api/login');
    provider.person = 'mallory';
    browser.forgetProvider(provider);
    const { url, response } = await browser.go('/api/proof/oidc');
    expect(problemOf(url)).toBe('sign-in-refused');
    expect(await response.text()).toContain('<title>app</title>');
  });

  it('leaves no trace of codes, states and people in the log', async () => {
    instance.log.length = 0;
    const { url } = await browser.go('/api/login', atCallback);
    await browser.go(url.href);
    url.searchParams.set('code', 'guessed');
    await browser.go(url.href);
    const text = JSON.stringify(instance.log);
    for (const secret of [url.searchParams.get('state'), 'people.example', 'guessed']) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('an OpenID provider', () => {
  it.each(['client_secret_basic', 'client_secret_post'] as const)(
    'may want a secret by %s',
    async (method) => {
      const provider = await startProvider({ secret: 'a secret of the server', method });
      const instance = await openOidcInstance(provider, { secret: 'a secret of the server' });
      const browser = new Browser(instance);
      await browser.go('/api/login');
      expect((await browser.request('GET', '/api/auth/user')).status).toBe(200);

      const wrong = await openOidcInstance(provider, { secret: 'another one' });
      expect(problemOf((await new Browser(wrong).go('/api/login')).url)).toBe('sign-in-refused');
      await Promise.all([instance.close(), wrong.close(), provider.stop()]);
    },
  );

  it('that names both ways and takes one of them for this client is not asked in the other way twice', async () => {
    const secret = 'a-secret_of.this-server';
    const provider = await startProvider({
      secret,
      method: 'client_secret_post',
      advertised: ['client_secret_basic', 'client_secret_post'],
      refusesBasic: true,
    });
    const instance = await openOidcInstance(provider, { secret });
    for (const _time of ['first', 'second']) {
      const browser = new Browser(instance);
      await browser.go('/api/login');
      expect((await browser.request('GET', '/api/auth/user')).status).toBe(200);
      expect(provider.refused).toBe(1);
    }
    await Promise.all([instance.close(), provider.stop()]);
  });

  it('refuses with a code that the log names, and with a description that it does not', async () => {
    const provider = await startProvider({
      secret: 'one',
      method: 'client_secret_post',
      refusesBasic: true,
    });
    const instance = await openOidcInstance(provider, { secret: 'another' });
    expect(problemOf((await new Browser(instance).go('/api/login')).url)).toBe('sign-in-refused');
    const [line] = instance.log.filter((entry) => JSON.stringify(entry).includes('refused somebody'));
    expect(line).toMatchObject({ oauthError: 'invalid_client' });

    const browser = new Browser(instance);
    const { url } = await browser.go('/api/login', ({ origin }) => origin === provider.issuer);
    const back = new URL(`/api/login/callback?state=${url.searchParams.get('state')}`, ORIGIN);
    for (const [name, value] of [
      ['error', 'typed by somebody'],
      ['iss', provider.issuer],
    ])
      back.searchParams.set(name ?? '', value ?? '');
    expect(problemOf((await browser.go(back.href)).url)).toBe('sign-in-refused');
    expect(instance.log.filter((line) => 'oauthError' in line).at(-1)).toMatchObject({ oauthError: null });
    expect(JSON.stringify(instance.log)).not.toMatch(/a guess|typed by/);
    await Promise.all([instance.close(), provider.stop()]);
  });

  it.each([
    ['Ann Maria Example', 'Ann Maria', 'Example'],
    ['Ann', 'Ann', null],
    ['  Ann   Example ', 'Ann', 'Example'],
    [' ', null, null],
    ['Ann\u0000\n\u202eB', 'Ann', 'B'],
    ['\ud800', null, null],
  ])(
    'that tells one name alone, %j, tells a first and a last one by it',
    async (fullName, firstName, lastName) => {
      const provider = await startProvider({ fullName });
      const instance = await openOidcInstance(provider);
      const browser = new Browser(instance);
      await browser.go('/api/login');
      const user = (await (await browser.request('GET', '/api/auth/user')).json()) as User;
      expect([user.firstName, user.lastName]).toEqual([firstName, lastName]);
      await Promise.all([instance.close(), provider.stop()]);
    },
  );

  it('that tells a name without end is heard for as long as names are', async () => {
    const provider = await startProvider({ fullName: 'x'.repeat(500_000) });
    const instance = await openOidcInstance(provider);
    const browser = new Browser(instance);
    await browser.go('/api/login');
    const user = (await (await browser.request('GET', '/api/auth/user')).json()) as User;
    expect(user.firstName).toBe('x'.repeat(320));
    await Promise.all([instance.close(), provider.stop()]);
  });

  describe('ends its own session when somebody leaves', () => {
    const leaving = async (browser: Browser, instance: TestInstance, site = 'same-origin') => {
      const response = await instance.request('GET', '/api/logout', {
        cookie: browser.cookies('/api/logout'),
        headers: { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      });
      browser.keep(response);
      return new URL(response.headers.get('location') ?? '', ORIGIN);
    };

    it('and asks nobody who they are: the browser brings the token, to this one path', async () => {
      const provider = await startProvider();
      const instance = await openOidcInstance(provider);
      const browser = new Browser(instance);
      await browser.go('/api/login');
      expect(browser.cookies('/')).not.toContain('provider-session');

      expect((await leaving(browser, instance, 'cross-site')).href).toBe(`${ORIGIN}/`);
      expect((await browser.request('GET', '/api/auth/user')).status).toBe(200);

      const to = await leaving(browser, instance);
      expect(to.origin).toBe(provider.issuer);
      expect(Object.fromEntries(to.searchParams)).toEqual({
        client_id: 'latebra',
        post_logout_redirect_uri: `${ORIGIN}/`,
        id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      });
      expect((await browser.request('GET', '/api/auth/user')).status).toBe(401);
      expect(browser.cookies('/api/logout')).toBe('');
      // The provider takes what it is asked: it shows its own page, and no error.
      expect((await browser.step(to)).response.status).toBe(200);
      // Somebody who has left already, as other tabs have, is led home.
      expect((await leaving(browser, instance)).href).toBe(`${ORIGIN}/`);
      await Promise.all([instance.close(), provider.stop()]);
    });

    it('also for a page that asks for it, and then goes there', async () => {
      const provider = await startProvider();
      const instance = await openOidcInstance(provider);
      const browser = new Browser(instance);
      await browser.go('/api/login');
      const leave = async (site: string) => {
        const answer = await instance.request('POST', '/api/logout', {
          cookie: browser.cookies('/api/logout'),
          headers: { 'sec-fetch-site': site },
        });
        browser.keep(answer);
        return answer;
      };
      expect((await leave('cross-site')).status).toBe(403);
      expect((await browser.request('GET', '/api/auth/user')).status).toBe(200);
      const { endsAt } = (await (await leave('same-origin')).json()) as { endsAt: string };
      expect(endsAt).toContain(provider.issuer);
      expect(new URL(endsAt).searchParams.get('id_token_hint')).toMatch(/^[\w-]+\./);
      expect((await browser.request('GET', '/api/auth/user')).status).toBe(401);
      expect(browser.cookies('/api/logout')).toBe('');
      expect(await (await leave('same-origin')).json()).toEqual({ endsAt: null });
      await Promise.all([instance.close(), provider.stop()]);
    });

    it.each([
      ['has no place for that', { keepsSessions: true as const }, false],
      ['cannot be reached by a server that has not asked it yet', {}, true],
    ])('and not where it %s', async (_, options, isAway) => {
      const provider = await startProvider(options);
      const instance = await openOidcInstance(provider);
      const browser = new Browser(instance);
      await browser.go('/api/login');
      if (isAway) await provider.stop();
      const server = isAway ? await instance.sibling({}) : instance;
      expect((await leaving(browser, server)).href).toBe(`${ORIGIN}/`);
      expect((await browser.request('GET', '/api/auth/user')).status).toBe(401);
      await instance.close();
      if (!isAway) await provider.stop();
    });
  });

  it('that is down is said to be down, and asked again when it is back', async () => {
    const provider = await startProvider();
    const instance = await openOidcInstance(provider);
    await provider.stop();
    const browser = new Browser(instance);
    expect(problemOf((await browser.go('/api/login')).url)).toBe('sign-in-unavailable');
    const response = await instance.request('GET', '/api/login');
    expect(await failure(response)).toEqual({ status: 502, code: 'sign-in-unavailable' });
    await instance.close();
  });

  it('that goes down before the way back is said to be down', async () => {
    const provider = await startProvider();
    const instance = await openOidcInstance(provider);
    const browser = new Browser(instance);
    const { url } = await browser.go('/api/login', atCallback);
    await provider.stop();
    expect(problemOf((await browser.go(url.href)).url)).toBe('sign-in-unavailable');
    expect((await browser.request('GET', '/api/auth/user')).status).toBe(401);
    await instance.close();
  });

  it('names administrators of the server by their subjects, and by the whole of them', async () => {
    const provider = await startProvider();
    const instance = await openTestInstance({
      clock: { now: Date.now, set: () => {}, advance: () => {} },
      env: { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'latebra', ADMIN_SUBJECTS: 'ann' },
    });
    const isAdmin = async (subject: string) => {
      provider.person = subject;
      const browser = new Browser(instance);
      await browser.go('/api/login');
      return ((await (await browser.request('GET', '/api/auth/user')).json()) as User).isAdmin;
    };
    expect(await isAdmin('ann')).toBe(true);
    expect(await isAdmin('ann impostor')).toBe(false);
    expect(await isAdmin('impostor ann')).toBe(false);
    await Promise.all([instance.close(), provider.stop()]);
  });
});

describe('without a provider', () => {
  it.each([
    ['/api/login', '/enter'],
    ['/api/login?return=/settings', '/enter?return=%2Fsettings'],
    ['/api/login?return=//evil.example', '/enter'],
  ])('%s leads to the gate: %s', async (path, to) => {
    const instance = await openTestInstance();
    const response = await instance.request('GET', path);
    expect([response.status, response.headers.get('location')]).toEqual([302, to]);
    await instance.close();
  });

  it('there is nothing to come back from', async () => {
    const instance = await openTestInstance();
    const browser = new Browser(instance);
    expect(problemOf((await browser.go('/api/login/callback?state=&code=x')).url)).toBe('ceremony-expired');
    await instance.close();
  });
});

describe('where to go after signing in', () => {
  it.each([
    ['/settings', '/settings'],
    ['/settings?a=b#c', '/settings?a=b'],
    ['/', '/'],
    [undefined, '/'],
    ['', '/'],
    ['settings', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/.//evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/api/logout', '/'],
    ['/x/../api/logout', '/'],
    ['/x/%2e%2E/api/logout', '/'],
    ['/%2e/%2fevil.example', '/'],
    ['\u0000/evil.example', '/'],
    ['/\u200b/evil.example', '/'],
    ['/@evil.example', '/@evil.example'],
    ['/.well-known', '/.well-known'],
    ['/settings?next=//evil.example', '/settings?next=//evil.example'],
    ['/api', '/'],
    ['/enter', '/'],
    ['/enter?return=/enter', '/'],
    ['/entered', '/entered'],
    [`/${'x'.repeat(999)}`, `/${'x'.repeat(999)}`],
    [`/${'x'.repeat(1000)}`, '/'],
    [`/${'é'.repeat(200)}`, '/'],
  ])('%j means %s', (wanted, expected) => {
    expect(safeReturn(wanted)).toBe(expected);
  });
});

describe('the cookie of a sign-in that is under way', () => {
  it('belongs to this very host behind https, where no subdomain can set another', async () => {
    const provider = await startProvider();
    const instance = await openOidcInstance(provider, { publicUrl: 'https://vault.example' });
    const begun = await instance.request('GET', '/api/login');
    const [cookie = ''] = begun.headers.getSetCookie();
    expect(cookie.replace(/=[^;]+;/, '=…;')).toBe(
      '__Host-latebra-sign-in=…; Max-Age=300; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
    const ceremony = /=([^;]+);/.exec(cookie)?.[1];
    const back = async (name: string) =>
      failure(
        await instance.request('GET', `/api/login/callback?state=${state}&error=access_denied`, {
          cookie: `${name}=${ceremony}`,
        }),
      );
    expect(await back('latebra-sign-in')).toMatchObject({ code: 'ceremony-expired' });
    expect(await back('__Host-latebra-sign-in')).toMatchObject({ code: 'sign-in-refused' });
    await instance.close();
    await provider.stop();
  });
});
