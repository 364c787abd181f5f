// Where the plan is paid for: a payment document on a second origin that has nothing else, reached by a one-time ticket, or the
// provider's own page where there is no second origin.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contractRows } from '../../../shared/http/contract.ts';
import { MINUTE } from '../../../shared/time.ts';
import {
  beginPaying,
  billingOf,
  clientSecretOf,
  openSelling,
  type SellingInstance,
  subscribe,
} from '../../../testing/billing.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { PUBLISHABLE_KEY } from '../../../testing/stripe/service.ts';
import { REQUESTS_PER_MINUTE } from '../../http/flood-gate.ts';

const HERE = { host: '127.0.0.1:3000', 'sec-fetch-site': 'same-origin' };

describeOnEachEngine('checkout on the second origin', (engine) => {
  let instance: SellingInstance;
  let person: Person;
  beforeEach(async () => {
    instance = await openSelling({ engine });
    person = await signUpByPassphrase(instance);
  });
  afterEach(() => instance.close());

  const checkout = (of = person, amount = 9.99) => of.request('POST', '/api/checkout', { body: { amount } });
  async function ticketOf(of = person): Promise<string> {
    const response = await checkout(of);
    expect(response.status).toBe(200);
    const { url } = (await response.json()) as { url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/pay#[\w-]{43}$/);
    return url.split('#')[1] ?? '';
  }
  const exchange = (ticket: unknown, headers: Record<string, string> = HERE) =>
    instance.request('POST', '/pay/ticket', { body: { ticket }, headers });

  it('gives for a ticket what a browser needs to pay, once', async () => {
    const ticket = await ticketOf();
    expect(instance.stripe.books.customers.size).toBe(0);
    const response = await exchange(ticket);
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.json()).toEqual({
      clientSecret: await clientSecretOf(person),
      publishableKey: PUBLISHABLE_KEY,
      priceText: '$9.99/month',
      returnUrl: 'http://localhost:3000/',
      accountNumber: person.user.id,
      accountName: person.name.toLowerCase(),
    });
    expect(await failure(await exchange(ticket))).toEqual({ status: 410, code: 'ticket-spent' });
  });

  it('says whose vault it is paid for, as far as the account is called anything', async () => {
    const { db } = instance.deps;
    const called = async (names: object) => {
      await db.updateTable('accounts').set(names).where('uid', '=', person.user.id).execute();
      const response = await exchange(await ticketOf());
      return ((await response.json()) as { accountName: string | null }).accountName;
    };
    const none = { name: null, first_name: null, last_name: null, email: null };
    expect(await called(none)).toBeNull();
    expect(await called({ email: 'agnes@example.org' })).toBe('agnes@example.org');
    expect(await called({ last_name: 'Moor' })).toBe('Moor');
    expect(await called({ first_name: 'Agnes' })).toBe('Agnes Moor');
    expect(await called({ name: 'agnes' })).toBe('agnes');
    // The provider is told none of them.
    expect(JSON.stringify(instance.stripe.asked)).not.toMatch(/agnes/i);
  });

  it('lets one of many win a ticket', async () => {
    const ticket = await ticketOf();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(ticket)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('takes no ticket after ten minutes, nor a stranger’s, nor one of a destroyed vault', async () => {
    const late = await ticketOf();
    instance.clock.advance(10 * MINUTE);
    expect((await exchange(late)).status).toBe(410);
    expect((await exchange('A'.repeat(43))).status).toBe(410);
    const other = await signUpByPassphrase(instance);
    const orphan = await ticketOf(other);
    await other.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    expect((await exchange(orphan)).status).toBe(410);
    expect(instance.stripe.books.customers.size).toBe(0);
  });

  it('keeps a ticket of which nothing came, for what is left of its ten minutes', async () => {
    const ticket = await ticketOf();
    instance.stripe.behave('away');
    instance.clock.advance(9 * MINUTE);
    expect(await failure(await exchange(ticket))).toEqual({ status: 502, code: 'payment-setup-failed' });
    instance.stripe.behave('well');
    expect((await exchange(ticket)).status).toBe(200);
    const second = await ticketOf();
    instance.stripe.behave('away');
    instance.clock.advance(9 * MINUTE);
    await exchange(second);
    instance.stripe.behave('well');
    instance.clock.advance(MINUTE);
    expect((await exchange(second)).status).toBe(410);
  });

  it('stores tickets as hashes, and logs none', async () => {
    const ticket = await ticketOf();
    await exchange(ticket);
    const again = await ticketOf();
    const stored = await instance.deps.db.selectFrom('challenges').selectAll().execute();
    expect(stored).toHaveLength(1);
    for (const secret of [ticket, again, await clientSecretOf(person)]) {
      expect(JSON.stringify(stored)).not.toContain(secret);
      expect(JSON.stringify(instance.log)).not.toContain(secret);
    }
  });

  it('refuses the page of another origin that has a ticket', async () => {
    const ticket = await ticketOf();
    for (const site of ['cross-site', 'same-site']) {
      const headers = { ...HERE, 'sec-fetch-site': site };
      expect(await failure(await exchange(ticket, headers))).toEqual({ status: 403, code: 'cross-site' });
    }
    const old = { host: HERE.host, origin: 'http://localhost:3000' };
    expect(await failure(await exchange(ticket, old))).toEqual({ status: 403, code: 'cross-site' });
    const own = { host: HERE.host, origin: 'http://127.0.0.1:3000' };
    expect((await exchange(ticket, own)).status).toBe(200);
  });

  it('holds back an address that tries tickets without end', async () => {
    const tryOne = () =>
      instance.request('POST', '/pay/ticket', {
        body: { ticket: 'short' },
        headers: HERE,
        from: '198.51.100.1',
      });
    for (let i = 0; i < REQUESTS_PER_MINUTE; i += 1) await tryOne();
    expect(await failure(await tryOne())).toEqual({ status: 429, code: 'too-many' });
  });

  it('refuses a subscriber before there is a ticket, and one who has paid elsewhere meanwhile', async () => {
    const ticket = await ticketOf();
    await subscribe(instance, person);
    expect((await checkout()).status).toBe(409);
    expect(await failure(await exchange(ticket))).toEqual({ status: 409, code: 'already-subscribed' });
  });
});

describe('the second origin', () => {
  let instance: SellingInstance;
  let person: Person;
  beforeEach(async () => {
    instance = await openSelling();
    person = await signUpByPassphrase(instance);
  });
  afterEach(() => instance.close());
  const atCheckout = (method: string, path: string, headers = {}) =>
    instance.request(method, path, { cookie: person.cookie, headers: { ...HERE, ...headers } });

  it('shows the payment document under a policy of its own', async () => {
    const response = await atCheckout('GET', '/pay', {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<title>pay</title>');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(
      "default-src 'none'; script-src 'self' https://js.stripe.com https://*.js.stripe.com;",
    );
    expect(policy).toContain("connect-src 'self' https://api.stripe.com;");
    expect(policy).toContain(
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;',
    );
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin',
      'cache-control': 'no-store',
    });
  });

  it('has nothing else: no page, no asset of the app, and no call, for whatever method', async () => {
    const paths = contractRows().map(({ row }) => [row.method, row.path.replace(/\{\w+\}/g, '1')] as const);
    const elsewhere = [
      '/enter',
      '/settings',
      '/checkout',
      '/pay/',
      '/pay/ticket/',
      '/assets/app-1a2b3c4d.js',
      '/robots.txt',
    ];
    const there = new Set(['POST /pay/ticket', 'GET /healthz', 'GET /readyz']);
    for (const [method, path] of [
      ...paths,
      ...elsewhere.map((path) => ['GET', path] as const),
      ['PUT', '/pay'] as const,
    ]) {
      if (there.has(`${method} ${path}`)) continue;
      const response = await atCheckout(method, path);
      expect(response.status, `${method} ${path}`).toBe(404);
      expect(response.headers.get('set-cookie')).toBeNull();
    }
  });

  it('leads from its site root to the vault where both are typed on a laptop, and nowhere else', async () => {
    const root = await atCheckout('GET', '/');
    expect([root.status, root.headers.get('location')]).toEqual([302, 'http://localhost:3000/']);
    expect(root.headers.get('set-cookie')).toBeNull();
    const port = await instance.request('GET', '/?a=1', { headers: { host: '127.0.0.1:8080' } });
    expect(port.headers.get('location')).toBe('http://localhost:8080/');
    expect((await atCheckout('HEAD', '/enter')).status).toBe(404);
    expect((await atCheckout('POST', '/')).status).toBe(404);
    const named = instance.sibling({
      PUBLIC_URL: 'https://vault.example',
      CHECKOUT_ORIGIN: 'https://pay.example',
    });
    expect((await named.request('GET', '/', { headers: { host: 'pay.example' } })).status).toBe(404);
  });

  it('is not where vaults are: its document and its call are nothing there, and their policy admits no script of others', async () => {
    expect((await instance.request('GET', '/pay')).status).toBe(404);
    const call = await instance.request('POST', '/pay/ticket', { body: { ticket: 'A'.repeat(43) } });
    expect(await failure(call)).toEqual({ status: 404, code: 'not-found' });
    for (const path of ['/', '/enter', '/pay', '/checkout', '/settings']) {
      for (const cookie of [undefined, person.cookie]) {
        const response = await instance.request('GET', path, { cookie });
        expect(response.headers.get('content-security-policy'), path).not.toContain('stripe');
      }
    }
  });

  it('cannot be asked from with a session of the vault', async () => {
    // A page there that calls the vault: another site by its host, or a sibling of it.
    for (const site of ['cross-site', 'same-site']) {
      for (const [method, path] of [
        ['GET', '/api/memory-entries'],
        ['POST', '/api/memory-entries'],
        ['GET', '/api/auth/user'],
      ] as const) {
        const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'cors', origin: 'http://127.0.0.1:3000' };
        const response = await person.request(method, path, { headers });
        expect(await failure(response)).toEqual({ status: 403, code: 'cross-site' });
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
      }
    }
  });

  it('is told by Host, or by a trusted proxy', async () => {
    const selling = await openSelling({
      env: {
        PUBLIC_URL: 'https://vault.example',
        CHECKOUT_ORIGIN: 'https://pay.example',
        TRUSTED_PROXIES: '10.0.0.1',
      },
    });
    const get = (host: string, forwarded?: string, from = '10.0.0.1') =>
      selling.request('GET', '/pay', {
        from,
        headers: { host, ...(forwarded && { 'x-forwarded-host': forwarded }) },
      });
    expect((await get('pay.example')).status).toBe(200);
    expect((await get('PAY.example:443')).status).toBe(200);
    expect((await get('10.0.0.2:3000', 'pay.example')).status).toBe(200);
    expect((await get('vault.example', 'pay.example', '10.0.0.9')).status).toBe(404);
    expect((await get('vault.example')).status).toBe(404);
    const page = await get('pay.example');
    expect(page.headers.get('strict-transport-security')).toBe('max-age=63072000');
    expect(page.headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
    await selling.close();
  });
});

describeOnEachEngine('checkout without a second origin', (engine) => {
  let instance: SellingInstance;
  let person: Person;
  beforeEach(async () => {
    instance = await openSelling({ engine, env: { CHECKOUT_ORIGIN: 'none' } });
    person = await signUpByPassphrase(instance);
  });
  afterEach(() => instance.close());

  async function pageOf(of = person): Promise<string> {
    const response = await of.request('POST', '/api/checkout', { body: { amount: 9.99 } });
    expect(response.status).toBe(200);
    return ((await response.json()) as { url: string }).url;
  }

  it('leads to the provider’s own page, to one for all tabs, and from there to the site root', async () => {
    expect((await billingOf(person)).checkout).toBe('hosted');
    const pages = await Promise.all([pageOf(), pageOf(), pageOf()]);
    expect(new Set(pages).size).toBe(1);
    const [session] = [...instance.stripe.books.sessions.values()];
    expect(session).toMatchObject({
      url: pages[0],
      mode: 'subscription',
      success_url: 'http://localhost:3000/?redirect_status=succeeded',
      cancel_url: 'http://localhost:3000/checkout',
    });
    // Its address may be sent to somebody else, who sees whose vault it pays for.
    const made = instance.stripe.asked.find(({ path }) => path === '/v1/checkout/sessions');
    expect(JSON.stringify(made?.form.custom_text)).toContain(person.user.id);
    instance.stripe.books.paySession(session?.id ?? '');
    // The browser comes back before the webhook.
    expect((await billingOf(person)).plan).toBe('free');
    await instance.catchUp();
    expect((await billingOf(person)).plan).toBe('enhanced');
  });

  it('opens another page once the first is over, and none for what was paid a moment ago', async () => {
    const first = await pageOf();
    instance.clock.advance(31 * MINUTE);
    expect(await pageOf()).not.toBe(first);
    const [, session] = [...instance.stripe.books.sessions.values()];
    instance.stripe.books.paySession(session?.id ?? '');
    const response = await person.request('POST', '/api/checkout', { body: { amount: 9.99 } });
    expect(await failure(response)).toEqual({ status: 409, code: 'already-subscribed' });
  });

  it('closes the page of an earlier half hour with the next one, so that nobody pays twice', async () => {
    const first = await pageOf();
    // The first is good for another half hour yet.
    instance.clock.advance(31 * MINUTE);
    const second = await pageOf();
    expect(second).not.toBe(first);
    const statuses = [...instance.stripe.books.sessions.values()].map(({ url, status }) => ({ url, status }));
    expect(statuses).toEqual([
      { url: null, status: 'expired' },
      { url: second, status: 'open' },
    ]);
    expect(await pageOf()).toBe(second);
  });

  it('closes an open page with the vault', async () => {
    await pageOf();
    await person.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    await instance.runJobs();
    const [session] = [...instance.stripe.books.sessions.values()];
    expect(session?.status).toBe('expired');
  });

  it('has no payment document anywhere', async () => {
    for (const host of ['127.0.0.1:3000', 'localhost:3000']) {
      expect((await instance.request('POST', '/pay/ticket', { body: {}, headers: { host } })).status).toBe(
        404,
      );
    }
  });
});

describe('a server without payments', () => {
  it('says so, and has every feature open', async () => {
    const instance = await openTestInstance();
    const person = await signUpByPassphrase(instance);
    expect(await billingOf(person)).toMatchObject({
      checkout: 'none',
      price: null,
      plan: 'open',
      subscription: null,
    });
    expect(await failure(await beginPaying(person))).toEqual({ status: 503, code: 'payments-off' });
    for (const [path, body] of [
      ['/api/checkout', { amount: 9.99 }],
      ['/api/billing-portal', undefined],
    ] as const) {
      expect(await failure(await person.request('POST', path, { body }))).toEqual({
        status: 503,
        code: 'payments-off',
      });
    }
    const webhook = { body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await instance.request('POST', '/api/stripe/webhook', webhook)).status).toBe(503);
    expect((await instance.request('POST', '/pay/ticket', { body: {} })).status).toBe(404);
    await instance.close();
  });
});
