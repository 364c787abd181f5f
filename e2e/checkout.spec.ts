// Paying: the document on the second origin, in a browser that has a vault open on the first. It shows that the document
// reaches nothing of the vault, and that the vault's own pages admit no script of others. The vendor's script is a stand-in,
// served in its place; the policies under which it runs are the real ones.
import type { Page } from '@playwright/test';
import { openStripe, type StripeService, stripeEnv } from '../src/testing/stripe/service.ts';
import { expect, openInstance, type TestInstance, test } from './instance.ts';
import { callsOf, enterAsMember, signUpMember } from './member.ts';
import { lookAt, takePicture } from './pictures.ts';
import { standInScript } from './stripe-script.ts';

/** Serves the vendor's script, and sends what it asks to the stand-in. */
async function connect(page: Page, stripe: StripeService): Promise<void> {
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: standInScript }),
  );
  await page.route('https://api.stripe.com/**', async (route) => {
    const request = route.request();
    const answer = await fetch(stripe.url + new URL(request.url()).pathname, {
      method: request.method(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: request.postData(),
    });
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/json' };
    await route.fulfill({ status: answer.status, headers, body: await answer.text() });
  });
}

/** Presses what leads to the payment, at the checkout. */
async function goAndPay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Unlock Enhanced Vault - $9.99/month' }).click();
  await expect(page.getByRole('heading', { name: 'Enhanced Vault' })).toBeVisible();
}

const planOf = (page: Page) =>
  page.evaluate(async () => ((await (await fetch('/api/billing')).json()) as { plan: string }).plan);

/** Posts every webhook that has happened, and has the server do what they ask for. */
async function deliver(stripe: StripeService, instance: TestInstance): Promise<void> {
  for (const event of stripe.books.events) {
    const { body, headers } = stripe.signed(event, instance.now());
    const answer = await fetch(`${instance.url}/api/stripe/webhook`, { method: 'POST', headers, body });
    expect(answer.status).toBe(204);
  }
  await instance.runSlowJobs();
}

test.describe('paying', () => {
  let stripe: StripeService;
  let instance: TestInstance;
  test.beforeEach(async () => {
    stripe = await openStripe();
    instance = await openInstance(stripeEnv(stripe));
  });
  test.afterEach(async ({ page }) => {
    await page.close();
    await instance.stop();
    await stripe.close();
  });

  test('is done apart from the vault, and turns the plan on', async ({ page, quiet }) => {
    await connect(page, stripe);
    await enterAsMember(page, instance, 'agnes', '/checkout');
    expect(await page.evaluate(() => localStorage.length)).toBeGreaterThan(0);
    await goAndPay(page);
    const button = page.getByRole('button', { name: 'Unlock Enhanced Vault - $9.99/month' });
    await expect(button).toBeEnabled();

    // Another origin, on which nothing was ever kept, and whose address says nothing.
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
    expect(new URL(page.url()).hash).toBe('');
    const reached = await page.evaluate(async () => ({
      local: { ...localStorage },
      session: { ...sessionStorage },
      cookies: document.cookie,
      databases: await indexedDB.databases(),
      opener: window.opener,
      parent: window.parent === window,
    }));
    expect(reached).toEqual({
      local: {},
      session: {},
      cookies: '',
      databases: [],
      opener: null,
      parent: true,
    });
    // Neither may it ask the vault, nor frame it.
    quiet.expect(/Content Security Policy/);
    const asked = await page.evaluate(
      (vault) => fetch(`${vault}/api/auth/user`, { credentials: 'include' }).then(String, String),
      instance.url,
    );
    expect(asked).toContain('TypeError');

    // It says by number whose vault it is; the name is not where a script of others runs.
    await expect(page.getByText(/^You pay for the vault with this account number.*[\w-]{36}$/)).toBeVisible();
    expect(await page.content()).not.toContain('agnes');
    await lookAt(page, 'pay', { fullPage: true });

    const card = page.getByLabel('Card number');
    await card.fill('4000 0000 0000 0002');
    quiet.expect(/402/);
    await page.keyboard.press('Enter');
    const problem = page.getByRole('alert');
    await expect(problem).toContainText('Payment Failed');
    await expect(problem).toContainText('Your card was declined.');

    await card.fill('4000 0025 0000 3155');
    await button.click();
    await expect(page.getByRole('button', { name: 'Processing Sacred Payment...' })).toBeAttached();
    await page.getByRole('dialog', { name: 'Your bank' }).getByRole('button', { name: 'Complete' }).click();
    await expect(page.getByText('Welcome to your enhanced vault!', { exact: true })).toBeVisible();
    expect(page.url()).toBe(`${instance.url}/`);
    expect(await planOf(page)).toBe('free');
    await deliver(stripe, instance);
    await expect.poll(() => planOf(page)).toBe('enhanced');
    expect(instance.log.join('')).not.toMatch(/_secret_|sk_test|whsec/);
  });

  test('begins in Settings, goes by the checkout, and comes back to an enhanced vault', async ({ page }) => {
    await connect(page, stripe);
    await enterAsMember(page, instance, 'agnes', '/settings');
    await page.getByRole('link', { name: 'Upgrade Vault' }).press('Enter');
    const unlock = page.getByRole('button', { name: 'Unlock Enhanced Vault - $9.99/month' });
    await expect(unlock).toBeVisible();
    await lookAt(page, 'checkout', { fullPage: true });
    // The skip link and the navigation come first.
    for (let presses = 0; presses < 8; presses += 1) {
      if (await unlock.evaluate((button) => button === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(unlock).toBeFocused();
    await page.keyboard.press('Enter');
    const card = page.getByLabel('Card number');
    await card.fill('4242 4242 4242 4242');
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
    await page.keyboard.press('Enter');

    const waiting = page.getByRole('region', { name: 'The plan is about to begin' });
    await expect(waiting).toBeVisible();
    expect(page.url()).toBe(`${instance.url}/`);
    await lookAt(page, 'plan-about-to-begin');
    await deliver(stripe, instance);
    await expect(waiting).toBeHidden();
    await page.getByRole('link', { name: 'Sacred Settings' }).first().click();
    const plan = page.getByRole('region', { name: 'Payment and Subscription' });
    await expect(plan.getByText(/^Paid until /)).toBeVisible();
    await expect(plan.getByRole('button', { name: 'Manage Subscription' })).toBeVisible();
    await takePicture(plan, 'wide-plan-enhanced');
  });

  test('says when it could not be begun, and tries again with the same ticket', async ({ page, quiet }) => {
    await connect(page, stripe);
    await enterAsMember(page, instance, 'agnes', '/checkout');
    // The price is known; then the vendor goes away.
    await expect(page.getByRole('button', { name: /^Unlock/ })).toBeVisible();
    stripe.behave('busy');
    quiet.expect(/502|410/);
    await goAndPay(page);
    const problem = page.getByRole('alert');
    await expect(problem).toContainText('Payment Setup Failed');
    await expect(problem).toContainText('Unable to initialize payment. Please try again.');
    stripe.behave('well');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByLabel('Card number')).toBeVisible();
    await expect(problem).toBeHidden();
    // The ticket is used, and is in no history.
    await page.reload();
    await expect(problem).toContainText('opened from your vault');
  });

  test('asks whose vault it is where its address was sent, before a script of others is there', async ({
    page,
  }) => {
    await connect(page, stripe);
    await signUpMember(page, instance, 'mallory');
    const { url } = await callsOf(page, instance)<{ url: string }>('POST', '/api/checkout', { amount: 9.99 });
    await page.context().clearCookies();
    await page.goto(url);
    const question = page.getByRole('alert');
    await expect(question).toContainText('Is this your vault?');
    await expect(question).toContainText('The account is called mallory.');
    expect(await page.evaluate(() => 'Stripe' in window)).toBe(false);
    await lookAt(page, 'pay-sent', { fullPage: true });
    await page.getByRole('button', { name: 'It is my vault: go on' }).press('Enter');
    await expect(page.getByLabel('Card number')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Unlock/ })).toBeEnabled();
    expect(await page.content()).not.toContain('mallory');
  });

  test('leaves nothing in the address of somebody who is signed out by then', async ({ page }) => {
    await page.goto(`${instance.url}/?redirect_status=succeeded&payment_intent_client_secret=pi_secret_1`);
    await expect.poll(() => page.url()).toBe(`${instance.url}/`);
  });

  test('brings no script of others into the vault', async ({ page, quiet }) => {
    await connect(page, stripe);
    quiet.expect(/Content Security Policy|TrustedScript/);
    for (const path of ['/', '/enter', '/black-scroll']) {
      await page.goto(instance.url + path);
      const ran = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const script = document.createElement('script');
            try {
              script.src = 'https://js.stripe.com/endive/stripe.js';
            } catch {
              resolve('refused');
            }
            script.onerror = () => resolve('refused');
            script.onload = () => resolve('ran');
            document.head.append(script);
          }),
      );
      expect(ran, path).toBe('refused');
      expect(await page.evaluate(() => 'Stripe' in window)).toBe(false);
    }
  });
});

test('without a second origin: the provider’s own page, its portal, and a plan that ends', async ({
  page,
}) => {
  const stripe = await openStripe();
  const instance = await openInstance({ ...stripeEnv(stripe), CHECKOUT_ORIGIN: 'none' });
  const { books } = stripe;
  // What stands there is the vendor's.
  const theirs = '<!doctype html><html lang="en"><title>Stripe</title><h1>A page of theirs</h1></html>';
  const isTheirs = (url: URL) => url.origin === stripe.url;
  await page.route(isTheirs, (route) => route.fulfill({ contentType: 'text/html', body: theirs }));
  const theirPage = page.getByRole('heading', { name: 'A page of theirs' });
  const plan = page.getByRole('region', { name: 'Payment and Subscription' });
  try {
    await enterAsMember(page, instance, 'agnes', '/checkout');
    await expect(page.getByText(/^On a page of Stripe’s own/)).toBeVisible();
    await page.getByRole('button', { name: 'Unlock Enhanced Vault - $9.99/month' }).click();
    await expect(theirPage).toBeVisible();
    const [session] = [...books.sessions.values()];
    expect(page.url()).toBe(session?.url);
    books.paySession(session?.id ?? '');
    await deliver(stripe, instance);
    await page.goto(session?.success_url ?? '');
    await expect(page.getByText('Welcome to your enhanced vault!', { exact: true })).toBeVisible();
    expect(page.url()).toBe(`${instance.url}/`);

    await page.getByRole('link', { name: 'Sacred Settings' }).first().click();
    await plan.getByRole('button', { name: 'Manage Subscription' }).press('Enter');
    await expect(theirPage).toBeVisible();
    expect(new URL(page.url()).pathname).toMatch(/^\/p\/session\/cus_/);
    const [subscription] = [...books.subscriptions.values()];
    books.cancelAtPeriodEnd(subscription?.id ?? '');
    await deliver(stripe, instance);
    await page.goto(`${instance.url}/settings`);
    await expect(plan.getByText(/^Enhanced until /)).toBeVisible();

    books.giveUp(subscription?.id ?? '', 'canceled');
    await deliver(stripe, instance);
    await page.reload();
    await expect(plan.getByText('The Enhanced plan has ended')).toBeVisible();
    await plan.getByRole('link', { name: 'Upgrade Vault' }).click();
    await expect(
      page.getByText(/^The Enhanced plan has ended\. Everything that you have stays/),
    ).toBeVisible();
    await lookAt(page, 'checkout-lapsed', { fullPage: true });
  } finally {
    await page.close();
    await instance.stop();
    await stripe.close();
  }
});
