import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../shared/account.ts';
import { contractRows } from '../../../shared/contract.ts';
import { HOUR, MINUTE } from '../../testing/clock.ts';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { failure, openTestHouse, type TestHouse } from '../../testing/house.ts';
import { Browser, openOidcHouse, startProvider, type TestProvider } from '../../testing/oidc-house.ts';
import { safeReturn } from './safe-return.ts';

const atCallback = (url: URL) => url.pathname === '/api/login/callback';
const problemOf = (url: URL) => (url.pathname === '/enter' ? url.searchParams.get('problem') : null);

describeOnEachEngine('signing in by an OpenID provider', (engine) => {
  let provider: TestProvider;
  let house: TestHouse;
  let browser: Browser;
  beforeAll(async () => {
    provider = await startProvider();
    house = await openOidcHouse(provider, { engine });
  });
  afterAll(async () => {
    await house.close();
    await provider.stop();
  });
  beforeEach(() => {
    house.clock.set(Date.now());
    provider.person = 'ann';
    provider.asked = 0;
    browser = new Browser(house);
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
    expect(browser.cookies('/api/login/callback')).toBe(`latebra-sign-in=${query.state}`);
  });

  it('knows the same subject again, from another browser, and refreshes what is known of them', async () => {
    await browser.go('/api/login');
    const first = await user();
    await house.deps.db.updateTable('accounts').set({ email: 'old@people.example' }).execute();
    const other = new Browser(house);
    await other.go('/api/login');
    expect(await user(other)).toMatchObject({ id: first?.id, email: 'ann@people.example' });
    provider.person = 'bob';
    const third = new Browser(house);
    await third.go('/api/login');
    expect((await user(third))?.id).not.toBe(first?.id);
  });

  it('leads to the page that was wanted, within this house', async () => {
    expect((await browser.go('/api/login?return=%2Fsettings%3Fa%3Db')).url.href).toBe(
      'http://localhost:3000/settings?a=b',
    );
    const other = new Browser(house);
    expect((await other.go('/api/login?return=https%3A%2F%2Fevil.example')).url.href).toBe(
      'http://localhost:3000/',
    );
  });

  it('makes one account when two browsers bring a new subject at once', async () => {
    provider.person = `new-${engine}`;
    const browsers = [browser, new Browser(house)];
    const callbacks: URL[] = [];
    for (const each of browsers) callbacks.push((await each.go('/api/login', atCallback)).url);
    await Promise.all(browsers.map((each, i) => each.step(callbacks[i] as URL)));
    const [one, two] = await Promise.all(browsers.map((each) => user(each)));
    expect(one?.id).toBeDefined();
    expect(two?.id).toBe(one?.id);
  });

  it('shuts every door of the embedded gate: the provider decides who comes in', async () => {
    const doors = contractRows().filter(({ row }) => row.door);
    expect(doors.length).toBe(7);
    for (const { name, row } of doors) {
      const response = await house.request(row.method, row.path, { body: {} });
      expect([name, await failure(response)]).toEqual([name, { status: 403, code: 'door-shut' }]);
    }
    const enter = await house.request('GET', '/enter');
    expect([enter.status, enter.headers.get('location')]).toEqual([302, '/api/login']);
    expect((await house.request('GET', '/enter?problem=sign-in-refused')).status).toBe(200);
  });

  describe('turns back, to a page that says why,', () => {
    it('whoever the provider refuses', async () => {
      provider.person = null;
      const { url } = await browser.go('/api/login');
      expect(problemOf(url)).toBe('sign-in-refused');
      expect(await user()).toBeNull();
    });

    it('a callback in another browser than the one that asked', async () => {
      const { url } = await browser.go('/api/login', atCallback);
      const thief = new Browser(house);
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
      const again = await house.request('GET', url.pathname + url.search, {
        cookie,
        headers: { accept: 'text/html' },
      });
      expect(again.headers.get('location')).toBe('/enter?problem=ceremony-expired');
    });

    it('a callback that took longer than five minutes', async () => {
      const { url } = await browser.go('/api/login', atCallback);
      house.clock.advance(5 * MINUTE);
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

    it('whoever begins again and again', async () => {
      const headers = { accept: 'text/html' };
      const begin = () => house.request('GET', '/api/login', { from: '198.51.100.20', headers });
      for (let i = 0; i < 120; i += 1) await begin();
      expect((await begin()).headers.get('location')).toBe('/enter?problem=too-many');
    });

    it('and answers programs with JSON instead', async () => {
      const response = await house.request('GET', '/api/login/callback?code=x&state=y');
      expect(await failure(response)).toEqual({ status: 401, code: 'ceremony-expired' });
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
      house.clock.advance(HOUR);
      expect(await needsProof()).toBe(true);
      house.clock.set(Date.now());
      await house.deps.db.updateTable('sessions').set({ proved_at: 0 }).execute();
      expect(await needsProof()).toBe(true);
      provider.asked = 0;
      const { url } = await browser.go('/api/proof/oidc?return=/settings');
      expect(url.pathname).toBe('/settings');
      expect(provider.asked).toBe(1);
      expect(await needsProof()).toBe(false);
    });

    it('not when somebody else signs in there', async () => {
      await browser.go('/api/login');
      await house.deps.db.updateTable('sessions').set({ proved_at: 0 }).execute();
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
      const other = new Browser(house);
      await other.go('/api/login');
      await house.deps.db.updateTable('sessions').set({ proved_at: 0 }).execute();
      const cookie = `${other.cookies('/')}; latebra-sign-in=${url.searchParams.get('state')}`;
      const response = await house.request('GET', url.pathname + url.search, {
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
    house.log.length = 0;
    const { url } = await browser.go('/api/login', atCallback);
    await browser.go(url.href);
    url.searchParams.set('code', 'guessed');
    await browser.go(url.href);
    const text = JSON.stringify(house.log);
    for (const secret of [url.searchParams.get('state'), 'people.example', 'guessed']) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('an OpenID provider', () => {
  it.each(['client_secret_basic', 'client_secret_post'] as const)(
    'may want a secret by %s',
    async (method) => {
      const provider = await startProvider({ secret: 'a secret of the house', method });
      const house = await openOidcHouse(provider, { secret: 'a secret of the house' });
      const browser = new Browser(house);
      await browser.go('/api/login');
      expect((await browser.request('GET', '/api/auth/user')).status).toBe(200);

      const wrong = await openOidcHouse(provider, { secret: 'another one' });
      expect(problemOf((await new Browser(wrong).go('/api/login')).url)).toBe('sign-in-refused');
      await Promise.all([house.close(), wrong.close(), provider.stop()]);
    },
  );

  it('that is down is said to be down, and asked again when it is back', async () => {
    const provider = await startProvider();
    const house = await openOidcHouse(provider);
    await provider.stop();
    const browser = new Browser(house);
    expect(problemOf((await browser.go('/api/login')).url)).toBe('sign-in-unavailable');
    const response = await house.request('GET', '/api/login');
    expect(await failure(response)).toEqual({ status: 502, code: 'sign-in-unavailable' });
    await house.close();
  });

  it('that goes down before the way back is said to be down', async () => {
    const provider = await startProvider();
    const house = await openOidcHouse(provider);
    const browser = new Browser(house);
    const { url } = await browser.go('/api/login', atCallback);
    await provider.stop();
    expect(problemOf((await browser.go(url.href)).url)).toBe('sign-in-unavailable');
    expect((await browser.request('GET', '/api/auth/user')).status).toBe(401);
    await house.close();
  });

  it('names keepers of the house by their subjects, and by the whole of them', async () => {
    const provider = await startProvider();
    const house = await openTestHouse({
      clock: { now: Date.now, set: () => {}, advance: () => {} },
      env: { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'latebra', ADMIN_SUBJECTS: 'ann' },
    });
    const isAdmin = async (subject: string) => {
      provider.person = subject;
      const browser = new Browser(house);
      await browser.go('/api/login');
      return ((await (await browser.request('GET', '/api/auth/user')).json()) as User).isAdmin;
    };
    expect(await isAdmin('ann')).toBe(true);
    expect(await isAdmin('ann impostor')).toBe(false);
    expect(await isAdmin('impostor ann')).toBe(false);
    await Promise.all([house.close(), provider.stop()]);
  });
});

describe('without a provider', () => {
  it.each([
    ['/api/login', '/enter'],
    ['/api/login?return=/settings', '/enter?return=%2Fsettings'],
    ['/api/login?return=//evil.example', '/enter'],
  ])('%s leads to the gate: %s', async (path, to) => {
    const house = await openTestHouse();
    const response = await house.request('GET', path);
    expect([response.status, response.headers.get('location')]).toEqual([302, to]);
    await house.close();
  });

  it('there is nothing to come back from', async () => {
    const house = await openTestHouse();
    const browser = new Browser(house);
    expect(problemOf((await browser.go('/api/login/callback?state=&code=x')).url)).toBe('ceremony-expired');
    await house.close();
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
  ])('%j means %s', (wanted, expected) => {
    expect(safeReturn(wanted)).toBe(expected);
  });
});
