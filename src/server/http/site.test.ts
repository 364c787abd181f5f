import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, openTestHouse, type TestHouse } from '../testing/house.ts';
import { aName, anAuthKey } from '../testing/people.ts';

const crossSite = { status: 403, code: 'cross-site' };

describe('requests that change something', () => {
  let local: TestHouse;
  let remote: TestHouse;
  beforeAll(async () => {
    local = await openTestHouse();
    remote = await openTestHouse({ env: { PUBLIC_URL: 'https://vault.example' } });
  });
  afterAll(() => Promise.all([local.close(), remote.close()]));

  const change = (house: TestHouse, headers: Record<string, string>) =>
    house.request('POST', '/api/gate/passphrase/begin', {
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
    [
      'a name that was bent to this address',
      { host: 'evil.example:3000', origin: 'http://evil.example:3000' },
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

  it('are no reading ones: those are heard from everywhere', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await local.request('GET', '/healthz', { headers })).status).toBe(200);
  });
});

describe('the address that was typed', () => {
  const go = async (
    env: Record<string, string>,
    path: string,
    headers: Record<string, string>,
    from?: string,
  ) => {
    const house = await openTestHouse({ env });
    const response = await house.request('GET', path, { headers, ...(from && { from }) });
    await house.close();
    return { status: response.status, to: response.headers.get('location'), text: await response.text() };
  };
  const https = { PUBLIC_URL: 'https://vault.example' };

  it.each(['localhost:3000', 'localhost', 'LOCALHOST:8080'])('%s is this house', async (host) => {
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

  it('stays within the house, whatever stands in the path', async () => {
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
    const untrusted = { host: 'app:3000', 'x-forwarded-host': 'vault.example' };
    expect(await go(env, '/', untrusted, '203.0.113.1')).toMatchObject({ status: 302 });
  });

  it('does not matter to whoever asks after the house’s health', async () => {
    expect(await go({}, '/healthz', { host: '10.1.2.3:3000' })).toMatchObject({ status: 200 });
    expect(await go(https, '/readyz', { host: '10.1.2.3:3000' })).toMatchObject({ status: 200 });
  });
});
