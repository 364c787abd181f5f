import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { aName, anAuthKey, signUpByPassphrase } from '../../testing/people.ts';

const crossSite = { status: 403, code: 'cross-site' };

describe('requests that change something', () => {
  let local: TestInstance;
  let remote: TestInstance;
  beforeAll(async () => {
    local = await openTestInstance();
    remote = await openTestInstance({ env: { PUBLIC_URL: 'https://vault.example' } });
  });
  afterAll(() => Promise.all([local.close(), remote.close()]));

  const change = (instance: TestInstance, headers: Record<string, string>) =>
    instance.request('POST', '/api/gate/passphrase/begin', {
      headers,
      body: { name: aName(), authKey: anAuthKey() },
    });

  it.each([
    ['this very site', { 'sec-fetch-site': 'same-origin' }],
    ['nowhere, by the person’s own hand', { 'sec-fetch-site': 'none' }],
    ['no browser at all', {}],
    ['a browser that names this origin alone', { origin: 'http://localhost:3000' }],
  ])('are heard from %s', async (_, headers) => {
    expect((await change(local, headers as Record<string, string>)).status).toBe(201);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour under the same domain', { 'sec-fetch-site': 'same-site' }],
    ['something that the header does not know', { 'sec-fetch-site': 'elsewhere' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:3001' }],
    ['a sandbox', { origin: 'null' }],
    [
      'a site that pretends to be no site',
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
    ],
  ])('are refused from %s', async (_, headers) => {
    expect(await failure(await change(local, headers as Record<string, string>))).toEqual(crossSite);
  });

  it('behind PUBLIC_URL are heard from its origin alone', async () => {
    expect((await change(remote, { origin: 'https://vault.example' })).status).toBe(201);
    for (const origin of ['http://vault.example', 'https://vault.example:8443', 'http://localhost:3000']) {
      expect(await failure(await change(remote, { origin }))).toEqual(crossSite);
    }
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('are refused by every method, such as %s', async (method) => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await failure(await local.request(method, '/api/nothing', { headers }))).toEqual(crossSite);
  });

  it('are no reading ones: pages are shown to whoever comes, from wherever', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await local.request('GET', '/healthz', { headers })).status).toBe(200);
    expect((await local.request('GET', '/', { headers })).status).toBe(200);
  });
});

describe('the API', () => {
  const get = async (headers: Record<string, string>) => {
    const instance = await openTestInstance();
    const response = await instance.request('GET', '/api/auth/user', { headers });
    await instance.close();
    return failure(response);
  };
  const fetching = (site: string, mode: string, dest: string) => ({
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': dest,
  });

  it.each([
    ['an image', 'no-cors', 'image'],
    ['a script', 'no-cors', 'script'],
    ['a frame', 'navigate', 'iframe'],
    ['a script’s errand', 'cors', 'empty'],
    ['an embedded object', 'navigate', 'object'],
  ])('is no %s of another site', async (_, mode, dest) => {
    for (const site of ['cross-site', 'same-site']) {
      expect(await get(fetching(site, mode, dest))).toEqual(crossSite);
    }
  });

  it.each([
    ['this site', fetching('same-origin', 'cors', 'empty')],
    ['an address that was typed', fetching('none', 'navigate', 'document')],
    ['another site that leads here', fetching('cross-site', 'navigate', 'document')],
    ['no browser', {}],
  ])('answers %s', async (_, headers) => {
    expect(await get(headers as Record<string, string>)).toEqual({ status: 401, code: 'not-signed-in' });
  });
});

describe('a call', () => {
  const wrongHost = { status: 421, code: 'wrong-host' };
  const readers = ['/api/auth/user', '/api/login', '/api/shares/AAAAAAAAAAAAAAAAAAAAAA', '/api/nothing'];
  /** What is heard is refused for another reason, or answered. */
  const isHeard = async (
    instance: TestInstance,
    path: string,
    headers: Record<string, string>,
    from?: string,
  ) => {
    const { status } = await instance.request('GET', path, { headers, ...(from && { from }) });
    return status !== 421;
  };

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.5:3000',
    'localhost@evil.example',
    'localhost/x',
    'localhost:99999',
    '',
  ])('that came under the name %j is refused, whatever it asks and whoever asks', async (host) => {
    const instance = await openTestInstance();
    const { cookie } = await signUpByPassphrase(instance);
    for (const path of readers) {
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      expect(await failure(await instance.request('GET', path, { headers, cookie }))).toEqual(wrongHost);
      expect(await failure(await instance.request('POST', path, { headers, cookie }))).toEqual(wrongHost);
    }
    await instance.close();
  });

  it('is heard under every name of this machine while there is no PUBLIC_URL, or one of this machine', async () => {
    for (const env of [{}, { PUBLIC_URL: 'http://localhost:3000' }]) {
      const instance = await openTestInstance({ env });
      for (const host of ['localhost:3000', 'LOCALHOST', '127.0.0.1:8080', '[::1]:3000']) {
        for (const path of readers) expect(await isHeard(instance, path, { host })).toBe(true);
      }
      await instance.close();
    }
  });

  it('is heard under PUBLIC_URL’s host alone where there is one', async () => {
    const instance = await openTestInstance({ env: { PUBLIC_URL: 'https://vault.example' } });
    for (const host of ['vault.example', 'VAULT.example', 'vault.example:443']) {
      expect(await isHeard(instance, '/api/auth/user', { host })).toBe(true);
    }
    for (const host of [
      'vault.example:8443',
      'www.vault.example',
      'localhost:3000',
      '127.0.0.1',
      '203.0.113.1',
    ]) {
      expect(await isHeard(instance, '/api/auth/user', { host })).toBe(false);
    }
    await instance.close();
  });

  it('is heard under the host that a trusted proxy passes on, or that it tells in its place', async () => {
    const env = { PUBLIC_URL: 'https://vault.example', TRUSTED_PROXIES: '10.0.0.1' };
    const instance = await openTestInstance({ env });
    const heard = (host: string, forwarded?: string, from = '10.0.0.1') =>
      isHeard(
        instance,
        '/api/auth/user',
        { host, ...(forwarded !== undefined && { 'x-forwarded-host': forwarded }) },
        from,
      );
    expect(await heard('vault.example')).toBe(true);
    expect(await heard('app:3000', 'vault.example')).toBe(true);
    // What the proxy adds stands last.
    expect(await heard('app:3000', 'evil.example, vault.example')).toBe(true);
    expect(await heard('app:3000', 'vault.example, evil.example')).toBe(false);
    expect(await heard('app:3000', 'evil.example')).toBe(false);
    expect(await heard('app:3000', 'vault.example', '10.0.0.2')).toBe(false);
    await instance.close();
  });

  it('that a trusted proxy passes on under another site’s name is refused', async () => {
    const env = { PUBLIC_URL: 'https://vault.example', TRUSTED_PROXIES: '10.0.0.1' };
    const instance = await openTestInstance({ env });
    for (const headers of [
      { host: 'evil.example' },
      { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    ]) {
      const asked = { headers: { ...headers, 'sec-fetch-site': 'same-origin' }, from: '10.0.0.1' };
      expect(await failure(await instance.request('GET', '/api/auth/user', asked))).toEqual(wrongHost);
    }
    await instance.close();
  });
});

describe('the address that was typed', () => {
  const go = async (
    env: Record<string, string>,
    path: string,
    headers: Record<string, string>,
    from?: string,
  ) => {
    const instance = await openTestInstance({ env });
    const response = await instance.request('GET', path, { headers, ...(from && { from }) });
    await instance.close();
    return { status: response.status, to: response.headers.get('location'), text: await response.text() };
  };
  const https = { PUBLIC_URL: 'https://vault.example' };

  it.each(['localhost:3000', 'localhost', 'LOCALHOST:8080'])('%s is this server', async (host) => {
    expect(await go({}, '/', { host })).toMatchObject({ status: 200 });
  });

  it.each([
    ['127.0.0.1:3000', '/a%20b?c=d', 'http://localhost:3000/a%20b?c=d'],
    ['127.1.2.3:8080', '/', 'http://localhost:8080/'],
    ['[::1]:3000', '/', 'http://localhost:3000/'],
  ])('%s leads to localhost, which passkeys can belong to', async (host, path, to) => {
    expect(await go({}, path, { host })).toMatchObject({ status: 302, to });
  });

  it.each(['192.168.1.5:3000', 'vault.example', 'evil.example', 'localhost.evil.example', ''])(
    '%s is no safe place, and one page says why',
    async (host) => {
      expect(await go({}, '/', { host })).toMatchObject({ status: 403, text: /insecure-origin/ });
    },
  );

  it('stays within the server, whatever stands in the path', async () => {
    for (const path of ['//evil.example/x', '/\\evil.example', '/%2f%2fevil.example', '//evil.example//y']) {
      for (const [env, host] of [
        [{}, '127.0.0.1:3000'],
        [https, 'other.example'],
      ] as const) {
        const { status, to } = await go(env, path, { host });
        expect(status).toBe(302);
        expect(new URL(to ?? '').host).toBe(env === https ? 'vault.example' : 'localhost:3000');
      }
    }
  });

  it('other than PUBLIC_URL leads to PUBLIC_URL', async () => {
    for (const host of ['www.vault.example', 'vault.example:8443', '203.0.113.1']) {
      expect(await go(https, '/settings?x=1', { host })).toMatchObject({
        status: 302,
        to: 'https://vault.example/settings?x=1',
      });
    }
    expect(await go(https, '/', { host: 'vault.example' })).toMatchObject({ status: 200 });
    expect(await go(https, '/', { host: 'VAULT.example' })).toMatchObject({ status: 200 });
  });

  it('by http, off this machine, is no safe place even as PUBLIC_URL', async () => {
    expect(await go({ PUBLIC_URL: 'http://vault.lan' }, '/', { host: 'vault.lan' })).toMatchObject({
      status: 403,
    });
  });

  it('is what a trusted proxy says it is, and where it says nothing there is no endless redirect', async () => {
    const env = { ...https, TRUSTED_PROXIES: '10.0.0.1' };
    const through = (headers: Record<string, string>) =>
      go(env, '/', { host: 'app:3000', ...headers }, '10.0.0.1');
    expect(await through({})).toMatchObject({ status: 200 });
    expect(await through({ 'x-forwarded-host': 'vault.example' })).toMatchObject({ status: 200 });
    expect(await through({ 'x-forwarded-host': 'www.vault.example' })).toMatchObject({
      status: 302,
      to: 'https://vault.example/',
    });
    // Proxies that pass on the host, as nginx and HAProxy do in docs/operations.md, tell it by that alone.
    for (const host of ['www.vault.example', 'other.example', '203.0.113.1', 'localhost.evil.example']) {
      expect(await through({ host })).toMatchObject({ status: 302, to: 'https://vault.example/' });
    }
    expect(await through({ host: 'vault.example:443' })).toMatchObject({ status: 200 });
    expect(await through({ host: 'VAULT.example' })).toMatchObject({ status: 200 });
    for (const host of ['127.0.0.1:3000', '127.0.0.1', '10.0.0.7', 'app', 'app.internal:3000', '[::1]', '']) {
      expect(await through({ host })).toMatchObject({ status: 200 });
    }
    const untrusted = { host: 'app:3000', 'x-forwarded-host': 'vault.example' };
    expect(await go(env, '/', untrusted, '203.0.113.1')).toMatchObject({ status: 302 });
  });

  it('does not matter to whoever asks after the server’s health', async () => {
    expect(await go({}, '/healthz', { host: '10.1.2.3:3000' })).toMatchObject({ status: 200 });
    expect(await go(https, '/readyz', { host: '10.1.2.3:3000' })).toMatchObject({ status: 200 });
  });
});
