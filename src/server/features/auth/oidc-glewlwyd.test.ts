// Signing in and out by a provider that this project has not written: Glewlwyd, which reads a secret as it was sent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../../shared/nouns/account.ts';
import { type Glewlwyd, hasGlewlwyd, PERSON, startGlewlwyd } from '../../../testing/glewlwyd.ts';
import { ORIGIN } from '../../../testing/instance.ts';
import { Browser, openOidcInstance } from '../../../testing/oidc-instance.ts';

describe.skipIf(!hasGlewlwyd)('Glewlwyd as the provider', () => {
  let provider: Glewlwyd;
  beforeAll(async () => {
    provider = await startGlewlwyd();
  });
  afterAll(() => provider?.stop());

  const atItsPage = ({ pathname }: URL) => pathname === '/login.html';

  async function signIn(browser: Browser): Promise<URL> {
    const page = await browser.go('/api/login', atItsPage);
    const back = await provider.signInAt(page.url, browser);
    return (await browser.go(back.href)).url;
  }
  const user = async (browser: Browser): Promise<User | null> => {
    const response = await browser.request('GET', '/api/auth/user');
    return response.status === 200 ? ((await response.json()) as User) : null;
  };

  it.each([
    ['a hyphen', 'a-secret_of.this-server'],
    ['what a form encodes', 'a:secret%2D+of/this=server&~ é'],
  ])('takes a secret with %s', async (kind, secret) => {
    const clientId = `latebra with ${kind}`.replaceAll(' ', '-');
    await provider.addClient(clientId, secret);
    const instance = await openOidcInstance(provider, { clientId, secret });
    const browser = new Browser(instance);
    expect((await signIn(browser)).href).toBe(`${ORIGIN}/`);
    expect(await user(browser)).toMatchObject({
      email: PERSON.email,
      firstName: 'Ann Maria',
      lastName: 'Example',
      signedInBy: 'oidc',
    });
    expect(JSON.stringify(instance.log)).not.toContain('oauthError');
    await instance.close();
  });

  it('ends its own session when somebody leaves, and asks who they are the next time', async () => {
    const clientId = 'left';
    await provider.addClient(clientId, 'one');
    const instance = await openOidcInstance(provider, { clientId, secret: 'one' });
    const browser = new Browser(instance);
    await signIn(browser);
    const again = async () => {
      const { url } = await browser.go('/api/login', atItsPage);
      return (await browser.go(provider.goOnFrom(url).href, atItsPage)).url;
    };
    expect((await again()).href).toBe(`${ORIGIN}/`);
    const asked = await browser.go('/api/logout', atItsPage);
    expect(await user(browser)).toBeNull();
    expect(await provider.signOutAt(asked.url, browser)).toEqual(new URL(`${ORIGIN}/`));
    expect(atItsPage(await again())).toBe(true);
    await instance.close();
  });

  it('refuses a wrong secret with an error that the log names', async () => {
    const clientId = 'mistyped';
    await provider.addClient(clientId, 'one-secret');
    const instance = await openOidcInstance(provider, { clientId, secret: 'another-secret' });
    const browser = new Browser(instance);
    expect((await signIn(browser)).search).toBe('?problem=sign-in-refused');
    expect(await user(browser)).toBeNull();
    expect(instance.log).toContainEqual(
      expect.objectContaining({
        msg: 'the sign-in provider refused somebody',
        oauthError: 'unauthorized_client',
      }),
    );
    expect(JSON.stringify(instance.log)).not.toContain('another-secret');
    await instance.close();
  });
});
